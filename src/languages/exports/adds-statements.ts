/**
 * Whether a hunk only adds whole statements. They can't take an export away or change how one is called, so its file needs no comparison.
 * It reads lines, not trees, and says no when in doubt: a new line can be a parameter, or begin a comment that ends far below.
 */
import type { Hunk } from "../../review/change/change.ts";

type Lexis = {
  /** Words that only begin a statement. Anywhere else they are a syntax error, and files with one aren't compared. */
  readonly begins: RegExp;
  /** Comments up to the end of the line, and strings that end on their line. */
  readonly skips: RegExp;
  /** The rest of a string, a comment or a pattern that `skips` can't read. */
  readonly doubtful: RegExp;
  /** The line before must match: in JavaScript, `export` can be on a line of its own. Omitted: any. */
  readonly after?: RegExp;
  /** Indentation decides what the lines below belong to. */
  readonly isIndented?: boolean;
};

const SCRIPT: Lexis = {
  begins:
    /^\s*(?:(?:export|import|const|let|var|throw)\s+[\w$[{*]|(?:async\s+)?function[\s*]|(?:abstract\s+)?class\s+[\w$]|(?:type|interface|enum)\s+[\w$]+(?:\s*[<={]|\s+extends\s)|(?:if|for|while|switch)\s*\(|return(?:\s+[^\s:]|;|$)|try\s*\{)/,
  skips: /\/\/.*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g,
  doubtful: /["'/\\]/,
  after: /[;{}]\s*$|^\s*(?:\/\/.*)?$/,
};

const GO: Lexis = {
  begins:
    /^\s*(?:func\s+(?:\w+[([]|\(\w+\s+\*?\w+(?:\[[\w, ]+\])?\)\s+\w+\()|(?:type|var|const|import)\s+[\w(]|(?:if|for|switch|defer|go)\s|return(?:\s|$))/,
  skips: SCRIPT.skips,
  doubtful: /["'\\]|\/\*/,
};

const PYTHON: Lexis = {
  begins:
    /^\s*(?:(?:async\s+def|def|class|import|raise|while|with|assert)\s+\w|from\s+[\w.]+\s+import\s|return(?:\s|$)|try:|pass\s*$)/,
  skips: /#.*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g,
  doubtful: /["'\\]/,
  isIndented: true,
};

const LEXIS: Readonly<Record<string, Lexis>> = {
  javascript: SCRIPT,
  typescript: SCRIPT,
  tsx: SCRIPT,
  go: GO,
  python: PYTHON,
};

/** Begins or ends a string or a comment of several lines, which may be around the added lines. */
const SPANS_LINES = /`|\$\{|\*\/|"""|'''/;

/** `git diff` shows this many lines around a change, unless the file begins or ends there. */
const CONTEXT_LINES = 3;

export function addsOnlyStatements({ lines }: Hunk, language: string): boolean {
  const lexis = LEXIS[language];
  if (lexis === undefined || lines.some((line) => line.startsWith("-"))) return false;
  const isAdded = (index: number): boolean => lines[index]?.startsWith("+") === true;
  const texts = lines.map((line) => line.slice(1));
  for (let start = 0; start < lines.length; start++) {
    if (!isAdded(start)) continue;
    let end = start;
    while (isAdded(end)) end++;
    const run = { before: texts[start - 1], added: texts.slice(start, end), below: texts.slice(end) };
    if (!isWhole(run, lexis)) return false;
    start = end;
  }
  return true;
}

type Run = {
  /** Undefined at the start of the file. */
  readonly before: string | undefined;
  readonly added: readonly string[];
  readonly below: readonly string[];
};

function isWhole({ before = "", added, below }: Run, lexis: Lexis): boolean {
  if (added.some((line) => SPANS_LINES.test(line))) return false;
  const code = added
    .map((line) => line.replaceAll(lexis.skips, (skipped) => (/^["']/.test(skipped) ? "0" : "")))
    .filter((line) => line.trim() !== "");
  const [first] = code;
  if (first === undefined) return true;
  if (!lexis.begins.test(first) || lexis.after?.test(before) === false) return false;
  if (code.some((line) => lexis.doubtful.test(line)) || !isBalanced(code.join("\n"))) return false;
  return lexis.isIndented !== true || keepsOwners(code, below);
}

const CLOSED_BY: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

function isBalanced(code: string): boolean {
  const awaited: string[] = [];
  for (const [bracket] of code.matchAll(/[()[\]{}]/g)) {
    const closing = CLOSED_BY[bracket];
    if (closing !== undefined) awaited.push(closing);
    else if (awaited.pop() !== bracket) return false;
  }
  return awaited.length === 0;
}

/** The lines below don't become a part of what was added. */
function keepsOwners(added: readonly string[], below: readonly string[]): boolean {
  const indentOf = (line: string): number => line.length - line.trimStart().length;
  const next = below.find((line) => line.trim() !== "");
  if (next === undefined) return below.length < CONTEXT_LINES;
  return indentOf(next) <= Math.min(...added.map(indentOf));
}
