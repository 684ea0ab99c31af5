/**
 * The Syntax port: text in, syntax tree out. Synchronous and total, so that pure code (floor rules, suggestion checks)
 * may hold one. The node's methods carry the names of ast-grep's, whose matchers (`"eval($X)"` or `{ rule: … }`)
 * they take.
 */

/** Languages a tree can be asked for. An adapter may lack some of them at run time; `supports` tells. */
export const SYNTAX_LANGUAGES = [
  "javascript",
  "typescript",
  "tsx",
  "html",
  "css",
  "python",
  "go",
  "java",
  "rust",
  "c",
  "cpp",
  "csharp",
  "ruby",
  "php",
  "bash",
] as const;
export type SyntaxLanguage = (typeof SYNTAX_LANGUAGES)[number];

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
  /** The root, or null when the language is not available or the text is over the parser's limit. */
  parse(language: SyntaxLanguage, text: string): SyntaxNode | null;
};
