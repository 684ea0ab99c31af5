/** Imports and definitions of Go. */
import {
  BACKTICK,
  CLOSE,
  CLOSE_BRACE,
  COMMA,
  DOT,
  OPEN,
  OPEN_BRACE,
  SEMICOLON,
  SLASH,
  STAR,
} from "../extract/characters.ts";
import type { FactCollector } from "../extract/fact-collector.ts";
import {
  createScanner,
  END,
  type LexicalRules,
  NAME,
  type Scanner,
  setPunctuation,
  skipBlock,
  skipLine,
  STRING,
  stringValue,
  takeQuoted,
  takeUntil,
  tokenText,
} from "../extract/scan-code.ts";

const RULES: LexicalRules = {
  specials: "/\"'`",
  special(scanner, code) {
    const { text, position } = scanner;
    if (code === BACKTICK) return takeUntil(scanner, position + 1, "`");
    if (code !== SLASH) return takeQuoted(scanner, position);
    const after = text.charCodeAt(position + 1);
    if (after === SLASH) return skipLine(scanner);
    if (after === STAR) return skipBlock(scanner);
    setPunctuation(scanner, position, code);
    return true;
  },
};

export function readGo(text: string, facts: FactCollector): void {
  const scanner = createScanner(text, RULES);
  let depth = 0;
  scanner.next();
  while (scanner.kind !== END) {
    if (scanner.kind === NAME && scanner.isLineStart && scanner.start === scanner.lineStart) {
      // gofmt puts only the top level into the first column.
      if (isTopWord(tokenText(scanner))) depth = 0;
      if (depth === 0 && readTopLevel(scanner, facts)) continue;
    } else if (scanner.kind === NAME && depth === 0 && scanner.isLineStart) {
      if (readTopLevel(scanner, facts)) continue;
    } else if (scanner.code === OPEN || scanner.code === OPEN_BRACE) depth++;
    else if (scanner.code === CLOSE || scanner.code === CLOSE_BRACE) depth = Math.max(0, depth - 1);
    scanner.next();
  }
}

function isTopWord(word: string): boolean {
  return word === "func" || word === "type" || word === "var" || word === "const" || word === "import";
}

/** True if the scanner has moved on. */
function readTopLevel(scanner: Scanner, facts: FactCollector): boolean {
  const word = tokenText(scanner);
  switch (word) {
    case "package":
      if (scanner.next() === NAME) facts.module ??= tokenText(scanner);
      return true;
    case "import":
      scanner.next();
      readEach(scanner, () => readImport(scanner, facts));
      return true;
    case "func":
      readFunction(scanner, facts);
      return true;
    case "type":
      scanner.next();
      readEach(scanner, () => define(scanner, "type", facts));
      return true;
    case "var":
    case "const":
      scanner.next();
      readEach(scanner, () => readVariables(scanner, facts));
      return true;
    default:
      return false;
  }
}

/** Reads one declaration, or each line of a group in parentheses. `read` moves on, or leaves the scanner where it is. */
function readEach(scanner: Scanner, read: () => void): void {
  if (scanner.code !== OPEN) return read();
  let depth = 1;
  let isStart = true;
  scanner.next();
  while (scanner.kind !== END && depth > 0) {
    if (depth === 1 && (isStart || scanner.isLineStart) && scanner.code !== CLOSE) {
      const { start } = scanner;
      read();
      isStart = false;
      if (scanner.start !== start) continue;
    }
    if (scanner.code === OPEN || scanner.code === OPEN_BRACE) depth++;
    else if (scanner.code === CLOSE || scanner.code === CLOSE_BRACE) depth--;
    isStart = scanner.code === SEMICOLON;
    scanner.next();
  }
}

function readImport(scanner: Scanner, facts: FactCollector): void {
  const line = facts.lineAt(scanner.start);
  let alias: string | null = null;
  const isDot = scanner.code === DOT;
  if (isDot) scanner.next();
  else if (scanner.kind === NAME) {
    alias = tokenText(scanner);
    scanner.next();
  }
  if (scanner.kind !== STRING) return;
  const specifier = stringValue(scanner);
  const names = isDot ? [{ name: "*", as: "*" }] : [];
  facts.addImport({ specifier, line, names, alias: alias === "_" ? null : alias });
  scanner.next();
}

/** `func name(…)` and `func (r *T) name(…)`. */
function readFunction(scanner: Scanner, facts: FactCollector): void {
  scanner.next();
  let isMethod = false;
  if (scanner.code === OPEN) {
    isMethod = true;
    let depth = 0;
    do {
      if (scanner.code === OPEN) depth++;
      else if (scanner.code === CLOSE) depth--;
      scanner.next();
    } while (depth > 0 && scanner.kind !== END);
  }
  define(scanner, isMethod ? "method" : "function", facts);
}

/** `a, b = …`. */
function readVariables(scanner: Scanner, facts: FactCollector): void {
  while (scanner.kind === NAME) {
    define(scanner, "variable", facts);
    if (scanner.code !== COMMA) return;
    scanner.next();
  }
}

function define(
  scanner: Scanner,
  kind: "function" | "method" | "type" | "variable",
  facts: FactCollector,
): void {
  if (scanner.kind !== NAME) return;
  const name = tokenText(scanner);
  if (name !== "_" && !(kind === "function" && name === "init")) {
    facts.define(name, kind, facts.lineAt(scanner.start), /^\p{Lu}/u.test(name));
  }
  scanner.next();
}
