/**
 * The Syntax port: text in, syntax tree out. It's synchronous and never throws, so pure code (built-in rules, suggestion
 * checks) can use it. The node's methods have the names of ast-grep's and accept its matchers (`"eval($X)"` or
 * `{ rule: … }`).
 */

/** Languages that a tree can have. An adapter may lack some at run time; check `supports`. */
export const SYNTAX_LANGUAGES = [
  "javascript",
  "typescript",
  "tsx",
  "html",
  "css",
  "python",
  "go",
  "java",
  "kotlin",
  "rust",
  "c",
  "cpp",
  "csharp",
  "ruby",
  "php",
  "bash",
] as const;
export type SyntaxLanguage = (typeof SYNTAX_LANGUAGES)[number];

/** JavaScript and its relatives, whose trees have the same nodes. */
export const SCRIPT_LANGUAGES = ["javascript", "typescript", "tsx"] as const;

export type Position = { readonly line: number; readonly column: number; readonly index: number };

/** An ast-grep rule object: `pattern`, `kind`, `regex`, `inside`, `has`, `all`, `any`, `not`, `stopBy`, … */
export type RuleObject = { readonly [key: string]: unknown };
export type Matcher =
  | string
  | { readonly rule: RuleObject; readonly constraints?: Readonly<Record<string, RuleObject>> };

export type SyntaxNode = {
  kind(): string;
  text(): string;
  isNamed(): boolean;
  /** Zero-based lines. */
  range(): { readonly start: Position; readonly end: Position };
  parent(): SyntaxNode | null;
  ancestors(): SyntaxNode[];
  children(): SyntaxNode[];
  namedChildren(): SyntaxNode[];
  field(name: string): SyntaxNode | null;
  next(): SyntaxNode | null;
  prev(): SyntaxNode | null;
  find(matcher: Matcher): SyntaxNode | null;
  findAll(matcher: Matcher): SyntaxNode[];
  matches(matcher: Matcher): boolean;
  inside(matcher: Matcher): boolean;
  has(matcher: Matcher): boolean;
  /** The node bound to `$NAME` in the pattern that found this node. */
  getMatch(name: string): SyntaxNode | null;
  getMultipleMatches(name: string): SyntaxNode[];
};

export type Syntax = {
  supports(language: string): language is SyntaxLanguage;
  /** The root, or null when the language is unavailable or the text exceeds the parser's limit. */
  parse(language: SyntaxLanguage, text: string): SyntaxNode | null;
};
