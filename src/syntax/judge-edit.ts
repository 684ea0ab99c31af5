/**
 * Decides whether a file is still valid code after an edit, by its syntax trees before and after. Parsers recover from many
 * errors, and some languages accept almost any words, so the number of errors is only one sign.
 */
import type { Position, SyntaxLanguage, SyntaxNode } from "./syntax.ts";

export type EditVerdict =
  | "as-before"
  /** There are new parse errors. */
  | "worse"
  /** The edit opens or closes brackets that the replaced lines didn't. */
  | "unbalanced"
  /** There is a sentence in place of code. */
  | "prose"
  /** The last line continues in the lines below, or ends in the middle of a word. */
  | "cut-off";

export type Parsed = {
  readonly language: SyntaxLanguage;
  readonly text: string;
  readonly tree: SyntaxNode;
};

/** Errors this close suggest that the parser doesn't understand the code: macros, templates. */
const NEAR_LINES = 3;

export function judgeEdit(before: Parsed, after: Parsed): EditVerdict {
  const [old, edited] = editedParts(before, after);
  if (hasMoreErrors(old, edited)) return "worse";
  if (bracketsOf(old) !== bracketsOf(edited)) return "unbalanced";
  if (hasProse(old, edited)) return "prose";
  return isCutOff(old, edited) ? "cut-off" : "as-before";
}

/** The lines that only one version has, counted from 0; `to` is exclusive. */
type Part = Parsed & { readonly from: number; readonly to: number; readonly lines: readonly string[] };

function editedParts(before: Parsed, after: Parsed): readonly [Part, Part] {
  const [old, edited] = [before.text.split("\n"), after.text.split("\n")];
  const shorter = Math.min(old.length, edited.length);
  let from = 0;
  while (from < shorter && old[from] === edited[from]) from++;
  let below = 0;
  while (below < shorter - from && old.at(-1 - below) === edited.at(-1 - below)) below++;
  const part = (parsed: Parsed, lines: readonly string[]): Part => {
    const to = lines.length - below;
    return { ...parsed, from, to, lines: lines.slice(from, to) };
  };
  return [part(before, old), part(after, edited)];
}

/** Near earlier errors, the parser is confused, and more errors say nothing about the edit. */
function hasMoreErrors(old: Part, edited: Part): boolean {
  const [errorsBefore, errorsAfter] = [errorsOf(old.tree), errorsOf(edited.tree)];
  const isNear = ({ from, to }: Part, error: SyntaxNode): boolean =>
    touches(error, from - NEAR_LINES, to + NEAR_LINES);
  if (errorsBefore.some((error) => isNear(old, error)) || isTemplate(edited)) return false;
  return errorsBefore.length === 0
    ? errorsAfter.length > 0
    : errorsAfter.some((error) => isNear(edited, error));
}

/** A template isn't valid HTML yet. */
function isTemplate({ language, lines }: Part): boolean {
  return language === "html" && lines.some((line) => /\{[{%]|<[%?]/.test(line));
}

/** A token that the parser inserted is a node without text. */
export function errorsOf(tree: SyntaxNode): readonly SyntaxNode[] {
  const found = tree.findAll({ rule: { any: [{ kind: "ERROR" }, { regex: "^$" }] } });
  return found.filter((node) => node.kind() === "ERROR" || node.parent() !== null);
}

function touches(node: SyntaxNode, from: number, to: number): boolean {
  const { start, end } = node.range();
  return start.line < to && end.line >= from;
}

const BRACKETS = ["()", "[]", "{}"];

/** Arrows and comparisons. */
const NO_TAG = /=>|(?<!-)->| [<>]=? (?=\S)/g;

/** Opened minus closed brackets of each kind, such as "0 0 1". Brackets in strings and comments aren't tokens. */
function bracketsOf(part: Part): string {
  // In HTML, brackets belong to templates and scripts, which the parser doesn't know.
  const isPage = part.language === "html";
  const text = isPage ? part.lines.join("\n").replace(NO_TAG, "") : tokensOf(part).join("");
  const count = (bracket: string | undefined): number => text.split(bracket ?? "").length;
  return [...BRACKETS, ...(isPage ? ["<>"] : [])]
    .map(([open, close]) => count(open) - count(close))
    .join(" ");
}

/** The text of a macro is one token for the parser. */
function tokensOf(part: Part): readonly string[] {
  return leavesOf(part).flatMap((leaf) => {
    if (leaf.kind() === "preproc_arg") return leaf.text().replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, "");
    return leaf.isNamed() || leaf.parent()?.kind() === "case_item" ? [] : leaf.text();
  });
}

/** Nodes without children that start in the part. */
function leavesOf({ tree, from, to }: Part): readonly SyntaxNode[] {
  const leaves: SyntaxNode[] = [];
  // An explicit stack, because hostile text can nest deeper than the call stack.
  const waiting = [tree];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!touches(node, from, to)) continue;
    const children = node.children();
    for (const child of children.toReversed()) waiting.push(child);
    if (children.length === 0 && node.range().start.line >= from) leaves.push(node);
  }
  return leaves;
}

/** Words separated by spaces that start with a capital or contain words that are rare in code. */
const SENTENCE = /^[A-Z][\w'’]*(?:,? [\w'’`"()./-]+){2,}[.:!?]?$/;
const WORDY =
  /\b(?:the|a|an|this|that|is|are|be|of|to|should|instead|with|and|it|you|when|before|if|not|in)\b/g;

function isProse(line: string): boolean {
  const text = line.trim();
  const words = text.split(" ");
  const plain = words.filter((word) => /^[a-z][a-z'’-]*[,.]?$/.test(word)).length;
  if (words.length < 4 || plain < words.length * 0.6) return false;
  return (
    SENTENCE.test(text) ||
    (/^(?:[\w\s,.-]|(?<=\w)['’])+$/.test(text) && (text.match(WORDY)?.length ?? 0) >= 2)
  );
}

function hasProse(old: Part, edited: Part): boolean {
  const isStarred = old.lines.length > 0 && old.lines.every((line) => /^\s*\*/.test(line));
  return edited.lines.some((line, index) => {
    if (!isProse(line)) return false;
    if (isStarred) return !/^\s*\*/.test(line);
    const kind = textKindAt(edited, edited.from + index);
    if (kind === null) return true;
    return index === 0 && MARKUP_TEXT.test(kind) && isMarkup(old);
  });
}

const MARKUP_TEXT = /^(?:jsx_)?text$/;

/** True when the first line, or without lines the ones above and below, starts with a tag or a template. */
function isMarkup({ lines, text, from }: Part): boolean {
  const all = text.split("\n");
  const shown = lines.length > 0 ? [lines.find((line) => line.trim() !== "")] : [all[from - 1], all[from]];
  return shown.every((line) => /^\s*[<{]/.test(line ?? ""));
}

const TEXT_KIND = /comment|string|heredoc|(?:^|_)text$|quoted|regex/;

/** The kind of the comment, string or text at a position; null for code. Without a column, the start of the line. */
export function textKindAt({ tree, text }: Parsed, line: number, column?: number): string | null {
  const place = { line, column: column ?? (text.split("\n")[line] ?? "").search(/\S/), index: 0 };
  for (let node: SyntaxNode | undefined = tree; node !== undefined;) {
    if (node !== tree && TEXT_KIND.test(node.kind())) return node.kind();
    node = node.children().find((child) => covers(child, place, place));
  }
  return null;
}

function covers(node: SyntaxNode, first: Position, last: Position): boolean {
  const { start, end } = node.range();
  return !isAfter(start, first) && isAfter(end, last);
}

function isAfter(one: Position, other: Position): boolean {
  return one.line > other.line || (one.line === other.line && one.column > other.column);
}

function isCutOff(old: Part, edited: Part): boolean {
  if (edited.lines.every((line) => line.trim() === "")) return false;
  return [runsOn, endsInWord, endsBeforeValue, endsInReturn, hasIdleStatement, dropsSemicolon].some((isCut) =>
    isCut(old, edited),
  );
}

const EXPRESSION =
  /expression|assignment|call|binary|unary|member|access|argument|operator|command|declarator|subscript|conditional|ternary|range|scope|pipeline|^(?:attribute|list)$/;

/** True when an expression joins the end of a part to the lines below. Usually a block does. */
function runsOn(old: Part, edited: Part): boolean {
  const join = joinOf(edited);
  return EXPRESSION.test(join) && join !== joinOf(old);
}

function joinOf({ tree, text, to }: Part): string {
  const lines = text.split("\n");
  const above = lines.findLastIndex((line, index) => index < to && line.trim() !== "");
  const below = lines.findIndex((line, index) => index >= to && line.trim() !== "");
  if (above === -1 || below === -1) return tree.kind();
  const first = { line: above, column: (lines[above] ?? "").trimEnd().length - 1, index: 0 };
  const last = { line: below, column: (lines[below] ?? "").search(/\S/), index: 0 };
  let node = tree;
  for (let next: SyntaxNode | undefined = tree; next !== undefined;) {
    node = next;
    next = node.children().find((child) => covers(child, first, last));
  }
  return node.kind();
}

const DOTS = /\s*(?:\.{3,}|…)$/;

const CUT_BY_DOTS = /\S\s*(?:\.{3,}|…)$/;

/** Excludes `def f(): ...` and `x: int = ...`, which are complete. */
const CUT_BY_DOTS_IN_PYTHON = /[^\s:=,(]\s*(?:\.{3,}|…)$/;

/** True when the last word is unknown but starts a known one (`res.en`), or when dots mark an omission. */
function endsInWord(old: Part, edited: Part): boolean {
  const index = edited.lines.findLastIndex((line) => line.trim() !== "");
  const line = (edited.lines[index] ?? "").trimEnd();
  const cutByDots = edited.language === "python" ? CUT_BY_DOTS_IN_PYTHON : CUT_BY_DOTS;
  const hasDots = cutByDots.test(line) && !old.lines.some((known) => DOTS.test(known.trimEnd()));
  const isText = textKindAt(edited, edited.from + index, line.length - 1) !== null;
  if (hasDots && !isText) return true;
  // In a shell, a word is anything without spaces.
  const wordLike = edited.language === "bash" ? /[^\s"'`;|&()]+/g : /[\p{L}\p{N}_$]+/gu;
  const said = line.replace(DOTS, "");
  const word = said.match(wordLike)?.at(-1) ?? "";
  if (word === "" || !said.endsWith(word) || (isText && !hasDots)) return false;
  const others = [old.text, ...edited.lines.slice(0, index), said.slice(0, -word.length)].join("\n");
  const words = new Set(others.match(wordLike));
  return !words.has(word) && [...words].some((known) => known.startsWith(word));
}

/** True when the last line is the replaced one up to a string, or up to the name of an assignment. */
function endsBeforeValue(old: Part, edited: Part): boolean {
  const lastOf = ({ lines }: Part): string => lines.findLast((line) => line.trim() !== "")?.trim() ?? "";
  const [before, after] = [lastOf(old), lastOf(edited)];
  if (!before.startsWith(after) || before === after) return false;
  const rest = before.slice(after.length).trimStart();
  return /^["'`]/.test(rest) || (rest.startsWith("=") && /^[\w.$]+$/.test(after));
}

/** True for a last `return` without a value, when the others near it have one. */
function endsInReturn(old: Part, edited: Part): boolean {
  const last = edited.lines.findLastIndex((line) => line.trim() !== "");
  if (edited.lines[last]?.trim() !== "return") return false;
  const others = [...old.lines, ...edited.lines.toSpliced(last, 1)].filter((line) =>
    /^\s*return\b/.test(line),
  );
  return others.length > 0 && others.every((line) => /^\s*return\s+[^\s;#]/.test(line));
}

const SCRIPTS = new Set<SyntaxLanguage>(["javascript", "typescript", "tsx"]);
const WITH_STATEMENTS = SCRIPTS.union(new Set(["python", "go", "java", "c", "cpp", "csharp", "php"]));

/** True for a statement that is just a name, in languages where it has no effect. */
function hasIdleStatement(old: Part, edited: Part): boolean {
  if (!WITH_STATEMENTS.has(edited.language)) return false;
  const idle = statementsOf(edited, ["expression_statement"]).filter((text) => /^[\w$][\w$.]*;?$/.test(text));
  return (
    idle.length > statementsOf(old, ["expression_statement"]).filter((text) => idle.includes(text)).length
  );
}

const ENDED_BY_SEMICOLONS = [
  "expression_statement",
  "lexical_declaration",
  "variable_declaration",
  "return_statement",
];

/** JavaScript allows statements without a semicolon, but a file that uses semicolons everywhere doesn't omit one. */
function dropsSemicolon(old: Part, edited: Part): boolean {
  if (!SCRIPTS.has(edited.language)) return false;
  if (!/[\w$]$/.test(statementsOf(edited, ENDED_BY_SEMICOLONS).at(-1) ?? "")) return false;
  const all = statementsOf({ ...old, from: 0, to: Number.POSITIVE_INFINITY }, ENDED_BY_SEMICOLONS);
  const ended = all.filter((text) => text.endsWith(";")).length;
  return all.length >= MIN_STATEMENTS && ended >= all.length * 0.95;
}

/** Fewer statements don't show a style. */
const MIN_STATEMENTS = 8;

function statementsOf({ tree, from, to }: Part, kinds: readonly string[]): readonly string[] {
  const found = tree.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } });
  return found
    .filter((node) => node.range().start.line >= from && node.range().start.line < to)
    .map((node) => node.text());
}
