/** Imports and definitions of Python. */
import {
  APOSTROPHE,
  BACKSLASH,
  CLOSE,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  CR,
  DOT,
  EQUALS,
  HASH,
  LF,
  OPEN,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SEMICOLON,
  STAR,
} from "../extract/characters.ts";
import type { ImportedName } from "../file-facts.ts";
import type { FactCollector } from "../extract/fact-collector.ts";
import {
  createScanner,
  END,
  isWord,
  type LexicalRules,
  NAME,
  peekCode,
  type Scanner,
  skipLine,
  STRING,
  stringValue,
  takeQuoted,
  takeUntil,
  tokenText,
} from "../extract/scan-code.ts";
import { readDotted } from "../extract/token-groups.ts";

/** Triple-quoted strings end at three quotes that aren't escaped; a backslash before them is rare enough to ignore. */
function takeString(scanner: Scanner, quoteAt: number): true {
  const quote = scanner.text.charAt(quoteAt);
  const triple = quote.repeat(3);
  if (!scanner.text.startsWith(triple, quoteAt)) return takeQuoted(scanner, quoteAt);
  return takeUntil(scanner, quoteAt + 3, triple);
}

const RULES: LexicalRules = {
  specials: "#\"'\\",
  special(scanner, code) {
    if (code === HASH) return skipLine(scanner);
    if (code === BACKSLASH) {
      // A backslash joins two lines.
      const { text, position } = scanner;
      const after = text.charCodeAt(position + 1) === CR ? position + 2 : position + 1;
      scanner.position = text.charCodeAt(after) === LF ? after + 1 : position + 1;
      return false;
    }
    return takeString(scanner, scanner.position);
  },
  prefixed(scanner) {
    const { text, start, end } = scanner;
    if (text.charCodeAt(end) === HASH || !/^[rbfut]{1,2}$/i.test(text.slice(start, end))) return false;
    scanner.position = start;
    return takeString(scanner, end);
  },
};

type Scope = { readonly column: number; readonly isClass: boolean };

export function readPython(text: string, facts: FactCollector): void {
  const scanner = createScanner(text, RULES);
  /** Open classes and functions, by the column of their keyword. */
  const scopes: Scope[] = [];
  let depth = 0;
  let isStart = true;
  scanner.next();
  while (scanner.kind !== END) {
    if (depth > 0 && scanner.isLineStart && startsStatement(scanner)) depth = 0;
    if (scanner.kind === NAME && depth === 0 && (isStart || scanner.isLineStart)) {
      const isInline = !scanner.isLineStart;
      if (!isInline) closeScopes(scopes, scanner.start - scanner.lineStart);
      isStart = false;
      // After a colon, only imports matter: `try: import a`. It may also be an annotation.
      if (!isInline || isWord(scanner, "import") || isWord(scanner, "from")) {
        if (readStatement(scanner, scopes, facts)) continue;
      }
    } else if (isWord(scanner, "import_module") || isWord(scanner, "__import__")) {
      readDynamicImport(scanner, facts);
      continue;
    } else if (scanner.code !== 0) {
      const { code } = scanner;
      if (code === OPEN || code === OPEN_BRACKET || code === OPEN_BRACE) depth++;
      else if (code === CLOSE || code === CLOSE_BRACKET || code === CLOSE_BRACE)
        depth = Math.max(0, depth - 1);
      isStart = depth === 0 && (code === COLON || code === SEMICOLON);
    } else isStart = false;
    scanner.next();
  }
}

/** A bracket that was never closed must not hide the rest of the file. */
function startsStatement(scanner: Scanner): boolean {
  if (scanner.kind !== NAME || scanner.start !== scanner.lineStart) return false;
  return isWord(scanner, "def") || isWord(scanner, "class") || isWord(scanner, "import");
}

function closeScopes(scopes: Scope[], column: number): void {
  for (let last = scopes.at(-1); last !== undefined && last.column >= column; last = scopes.at(-1))
    scopes.pop();
}

/** True if the scanner has moved on. */
function readStatement(scanner: Scanner, scopes: Scope[], facts: FactCollector): boolean {
  const column = scanner.start - scanner.lineStart;
  const scope = scopes.at(-1);
  const isLocal = scope !== undefined && !scope.isClass;
  switch (tokenText(scanner)) {
    case "import":
      readModules(scanner, facts);
      return true;
    case "from":
      readFrom(scanner, facts);
      return true;
    case "async":
      scanner.next();
      if (isWord(scanner, "def")) readDefinition(scanner, { scopes, column, facts });
      return true;
    case "def":
    case "class":
      readDefinition(scanner, { scopes, column, facts });
      return true;
    case "type": {
      const line = facts.lineAt(scanner.start);
      const { end } = scanner;
      if (scanner.next() !== NAME) {
        if (scanner.code === EQUALS && scope === undefined) facts.define("type", "variable", line, true);
        return true;
      }
      if (!isLocal && scanner.start > end && isOneOf(peekCode(scanner, scanner.end), EQUALS, OPEN_BRACKET)) {
        define(tokenText(scanner), "type", line, facts);
      }
      return true;
    }
    default:
      if (scope !== undefined) return false;
      readAssignment(scanner, facts);
      return true;
  }
}

function isOneOf(code: number, one: number, other: number): boolean {
  return code === one || code === other;
}

function define(
  name: string,
  kind: "function" | "class" | "type" | "variable" | "method",
  line: number,
  facts: FactCollector,
): void {
  facts.define(name, kind, line, !name.startsWith("_"));
}

function readDefinition(
  scanner: Scanner,
  at: { readonly scopes: Scope[]; readonly column: number; readonly facts: FactCollector },
): void {
  const { scopes, column, facts } = at;
  const isClass = isWord(scanner, "class");
  const line = facts.lineAt(scanner.start);
  if (scanner.next() !== NAME) return;
  const scope = scopes.at(-1);
  if (scope === undefined || scope.isClass) {
    define(tokenText(scanner), isClass ? "class" : scope === undefined ? "function" : "method", line, facts);
  }
  scopes.push({ column, isClass });
  scanner.next();
}

/** `import a.b as c, d`. */
function readModules(scanner: Scanner, facts: FactCollector): void {
  const line = facts.lineAt(scanner.start);
  do {
    scanner.next();
    const specifier = readDotted(scanner);
    if (specifier === "") return;
    let alias = specifier;
    if (isWord(scanner, "as") && scanner.next() === NAME) {
      alias = tokenText(scanner);
      scanner.next();
    }
    facts.addImport({ specifier, line, alias });
  } while (scanner.code === COMMA);
}

/** `from ..a import b as c, d` and `from a import (b, c)`. */
function readFrom(scanner: Scanner, facts: FactCollector): void {
  const line = facts.lineAt(scanner.start);
  scanner.next();
  let dots = "";
  for (; scanner.code === DOT; scanner.next()) dots += ".";
  const specifier = dots + (isWord(scanner, "import") ? "" : readDotted(scanner));
  if (!isWord(scanner, "import") || specifier === "") return;
  scanner.next();
  if (scanner.code === STAR) {
    scanner.next();
    return facts.addImport({ specifier, line, names: [{ name: "*", as: "*" }] });
  }
  const isParenthesized = scanner.code === OPEN;
  if (isParenthesized) scanner.next();
  const names: ImportedName[] = [];
  while (scanner.kind === NAME) {
    if (scanner.isLineStart && !isParenthesized) break;
    const name = tokenText(scanner);
    let as = name;
    if (scanner.next() === NAME && isWord(scanner, "as") && scanner.next() === NAME) {
      as = tokenText(scanner);
      scanner.next();
    }
    names.push({ name, as });
    if (scanner.code !== COMMA) break;
    scanner.next();
  }
  if (isParenthesized && scanner.code === CLOSE) scanner.next();
  if (names.length > 0) facts.addImport({ specifier, line, names });
}

/** `a = …`, `a: int = …` and `a, b = …`. */
function readAssignment(scanner: Scanner, facts: FactCollector): void {
  const line = facts.lineAt(scanner.start);
  const names: string[] = [];
  const first = tokenText(scanner);
  while (scanner.kind === NAME) {
    names.push(tokenText(scanner));
    scanner.next();
    if (scanner.code !== COMMA) break;
    scanner.next();
  }
  // `else:` and `try:` have no type after the colon on their line, and `lambda` and `match` aren't assigned to.
  const isAnnotated = scanner.code === COLON && names.length === 1 && !BLOCK_WORDS.has(first);
  const { text, end } = scanner;
  const isAssigned = scanner.code === EQUALS && text.charCodeAt(end) !== EQUALS;
  if (isAssigned || isAnnotated) for (const name of names) define(name, "variable", line, facts);
}

const BLOCK_WORDS: ReadonlySet<string> = new Set(["else", "try", "finally", "except"]);

/** `import_module("a.b")`. */
function readDynamicImport(scanner: Scanner, facts: FactCollector): void {
  const line = facts.lineAt(scanner.start);
  scanner.next();
  if (scanner.code !== OPEN) return;
  const depthStart = scanner.position;
  if (peekCode(scanner, depthStart) === QUOTE || peekCode(scanner, depthStart) === APOSTROPHE) {
    scanner.next();
    if (scanner.kind === STRING) facts.addImport({ specifier: stringValue(scanner), line });
    // The brackets are balanced again behind the string.
    scanner.next();
    if (scanner.code === CLOSE) scanner.next();
  }
}
