/**
 * Reads the calls of a Gemfile or gemspec with literal arguments. Ruby that calculates something isn't run and isn't guessed: such
 * an argument is null.
 */
import { linesIn } from "../../base/documents/line-index.ts";

export type RubyValue = string | readonly RubyValue[] | boolean | null;

export type RubyArguments = {
  readonly positional: readonly RubyValue[];
  readonly options: ReadonlyMap<string, RubyValue>;
};

/** One statement on one line. `line` is the 1-based line where it starts. */
export type RubyStatement = { readonly text: string; readonly line: number };

/** A statement that goes on longer isn't a list of gems any more. */
const MAX_STATEMENT_LINES = 100;
const MAX_STATEMENT_LENGTH = 10_000;

/** Groups and requirements are lists of texts, and hardly ever lists of lists. */
const MAX_DEPTH = 3;

/** Quoted text, `%w[…]` and the like, and the characters that matter between them. */
const TOKEN =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|%[qQwWiI]?(?:<[^>]*>|\([^)]*\)|\[[^\]]*\]|\{[^}]*\})|[()[\]{},#]|\s(?:if|unless)\s/gs;

/** Statements without comments, with those joined that go on in the next line. */
export function readRubyStatements(text: string): readonly RubyStatement[] {
  const statements: RubyStatement[] = [];
  let waiting = "";
  let start = 1;
  let lines = 0;
  let isBlockComment = false;
  for (const [at, raw] of linesIn(text).entries()) {
    if (/^=(?:begin|end)\b/.test(raw)) isBlockComment = raw.startsWith("=begin");
    if (isBlockComment || raw.startsWith("=end")) continue;
    if (/^__END__\s*$/.test(raw)) break;
    const content = raw.length > MAX_STATEMENT_LENGTH ? "" : withoutComment(raw).trim();
    if (content === "") continue;
    if (waiting === "") {
      start = at + 1;
      lines = 0;
    }
    waiting = waiting === "" ? content : `${waiting} ${content}`;
    lines += 1;
    const isContinued =
      /[,\\(]$/.test(content) || (lines > 1 || /[[({]/.test(content) ? isOpen(waiting) : false);
    if (isContinued && lines < MAX_STATEMENT_LINES && waiting.length < MAX_STATEMENT_LENGTH) {
      waiting = waiting.replace(/\\$/, "");
      continue;
    }
    statements.push({ text: waiting, line: start });
    waiting = "";
  }
  if (waiting !== "") statements.push({ text: waiting, line: start });
  return statements;
}

function withoutComment(line: string): string {
  if (!line.includes("#")) return line;
  for (const { 0: token, index } of line.matchAll(TOKEN)) if (token === "#") return line.slice(0, index);
  return line;
}

/** Whether a bracket is still open. */
function isOpen(text: string): boolean {
  let depth = 0;
  for (const { 0: token } of text.matchAll(TOKEN)) depth += depthOf(token);
  return depth > 0;
}

function depthOf(token: string): number {
  if (token === "(" || token === "[" || token === "{") return 1;
  return token === ")" || token === "]" || token === "}" ? -1 : 0;
}

/** The arguments of a call: the text after the method's name. A condition after them is left out. */
export function parseRubyArguments(text: string): RubyArguments {
  const positional: RubyValue[] = [];
  const options = new Map<string, RubyValue>();
  const trimmed = text.trim();
  for (const part of splitArguments(trimmed.startsWith("(") ? insideParentheses(trimmed) : trimmed)) {
    const option = /^(?::?(["']?)(\w+)\1\s*=>|(["']?)(\w+)\3:(?!:))\s*(.*)$/s.exec(part);
    const name = option?.[2] ?? option?.[4];
    if (name === undefined) positional.push(parseValue(part));
    else options.set(name, parseValue(option?.[5] ?? ""));
  }
  return { positional, options };
}

function insideParentheses(text: string): string {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    depth += depthOf(token);
    if (depth === 0) return text.slice(1, index);
  }
  return text.slice(1);
}

/** Splits at commas that are outside of quotes and brackets, up to a condition. */
function splitArguments(text: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let end = text.length;
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    depth += depthOf(token);
    if (depth > 0) continue;
    if (token === ",") {
      parts.push(text.slice(start, index));
      start = index + 1;
    } else if (/^\s(?:if|unless)\s$/.test(token)) {
      end = index;
      break;
    }
  }
  parts.push(text.slice(start, end));
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

const STRING =
  /^(?:"((?:[^"\\#]|#(?!\{)|\\.)*)"|'((?:[^'\\]|\\.)*)'|%[qQ]?(?:<([^>]*)>|\(([^)]*)\)|\[([^\]]*)\]|\{([^}]*)\}))(?:\.freeze)?$/s;
const SYMBOL = /^:"?(\w+[?!]?)"?$/;
const WORDS = /^%[wWiI](?:<([^>]*)>|\(([^)]*)\)|\[([^\]]*)\]|\{([^}]*)\})$/s;

/** Symbols are texts, as Bundler treats them. Null for everything that isn't a literal. */
function parseValue(text: string, depth = 0): RubyValue {
  const string = STRING.exec(text);
  if (string !== null)
    return (string.slice(1).find((part) => part !== undefined) ?? "").replace(/\\(["'\\])/g, "$1");
  const symbol = SYMBOL.exec(text)?.[1];
  if (symbol !== undefined) return symbol;
  if (text === "true" || text === "false") return text === "true";
  const words = WORDS.exec(text);
  if (words !== null) {
    const list = words.slice(1).find((part) => part !== undefined) ?? "";
    return list.split(/\s+/).filter((word) => word !== "");
  }
  if (depth < MAX_DEPTH && text.startsWith("[") && text.endsWith("]"))
    return splitArguments(text.slice(1, -1)).map((item) => parseValue(item, depth + 1));
  return null;
}

/** The texts of a value that is one or a list of them; null when a part isn't known. */
export function textsOf(value: RubyValue | undefined): readonly string[] | null {
  if (value === undefined) return [];
  if (typeof value === "string") return [value];
  if (!Array.isArray(value)) return null;
  const texts: string[] = [];
  for (const item of value) {
    const inner = textsOf(item);
    if (inner === null) return null;
    texts.push(...inner);
  }
  return texts;
}
