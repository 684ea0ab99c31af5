/** Imports and definitions of Java and C#. */
import {
  APOSTROPHE,
  AT,
  OPEN_BRACKET,
  COLON,
  DOLLAR,
  DOT,
  EQUALS,
  GREATER,
  HASH,
  LESS,
  OPEN,
  OPEN_BRACE,
  QUESTION,
  QUOTE,
  SEMICOLON,
  SLASH,
  STAR,
} from "../extract/characters.ts";
import type { DefinitionFact } from "../file-facts.ts";
import { createCurlyScopes, type CurlyScopes } from "../extract/curly-scopes.ts";
import type { FactCollector } from "../extract/fact-collector.ts";
import { createInterpolatedStrings } from "../extract/interpolated-strings.ts";
import {
  createScanner,
  END,
  isWord,
  type LexicalRules,
  NAME,
  peekCode,
  type Scanner,
  setPunctuation,
  skipBlock,
  skipLine,
  takeQuoted,
  takeUntil,
  tokenText,
} from "../extract/scan-code.ts";
import { readDotted } from "../extract/token-groups.ts";

/** Words that look like a type before a call. */
const NOT_TYPES: ReadonlySet<string> = new Set(
  "new return throw else await yield when where case in is as out ref operator".split(" "),
);

const EXPORTING: ReadonlySet<string> = new Set(["public", "protected", "internal"]);

const TYPE_WORDS: Readonly<Record<string, DefinitionFact["kind"]>> = {
  class: "class",
  struct: "class",
  record: "class",
  enum: "class",
  interface: "type",
};

export function readJava(text: string, facts: FactCollector): void {
  readTypes(createScanner(text, JAVA_RULES), facts, false);
}

export function readCsharp(text: string, facts: FactCollector): void {
  readTypes(createScanner(text, csharpRules()), facts, true);
}

const JAVA_RULES: LexicalRules = {
  specials: "/\"'",
  letters: "$",
  special(scanner, code) {
    if (code === SLASH) return skipComment(scanner);
    const { text, position } = scanner;
    if (code === QUOTE && text.startsWith('"""', position)) return takeUntil(scanner, position + 3, '"""');
    return takeQuoted(scanner, position);
  },
};

function skipComment(scanner: Scanner): boolean {
  const { text, position } = scanner;
  const after = text.charCodeAt(position + 1);
  if (after === SLASH) return skipLine(scanner);
  if (after === STAR) return skipBlock(scanner);
  setPunctuation(scanner, position, SLASH);
  return true;
}

function csharpRules(): LexicalRules {
  const strings = createInterpolatedStrings();

  /** `$"…"`, `@"…"`, `$@"…"` and raw strings of three or more quotes. */
  function takeString(scanner: Scanner): boolean {
    const { text, position } = scanner;
    let at = position;
    while (at - position < 4 && (text.charCodeAt(at) === DOLLAR || text.charCodeAt(at) === AT)) at++;
    if (text.charCodeAt(at) !== QUOTE) {
      setPunctuation(scanner, position, text.charCodeAt(position));
      return true;
    }
    if (text.startsWith('"""', at)) return takeRaw(scanner, at);
    const hasPrefix = (sign: string): boolean => text.slice(position, at).includes(sign);
    const isVerbatim = hasPrefix("@");
    return strings.take(scanner, at + 1, {
      closing: '"',
      opening: hasPrefix("$") ? "{" : null,
      hasEscapes: !isVerbatim,
      hasDoubledQuotes: isVerbatim,
      isMultiline: isVerbatim,
    });
  }

  return {
    specials: "/\"'$@{}#",
    special(scanner, code) {
      if (code === SLASH) return skipComment(scanner);
      if (code === APOSTROPHE) return takeQuoted(scanner, scanner.position);
      if (code === HASH && scanner.isLineStart) return skipLine(scanner);
      if (code === QUOTE || code === DOLLAR || code === AT) return takeString(scanner);
      if (code !== HASH && strings.takeBrace(scanner, code)) return true;
      setPunctuation(scanner, scanner.position, code);
      return true;
    },
  };
}

/** A raw string ends with as many quotes as it starts with. */
function takeRaw(scanner: Scanner, from: number): true {
  let end = from;
  while (end < scanner.limit && end - from < 100 && scanner.text.charCodeAt(end) === QUOTE) end++;
  return takeUntil(scanner, end, '"'.repeat(end - from));
}

/** A declaration as far as it was read. */
type Statement = {
  isExported: boolean;
  /** It has an initializer, so calls in it aren't methods. */
  hasValue: boolean;
  /** The name before `<`, for generic methods. */
  generic: { readonly name: string; readonly start: number } | null;
  /** The last two tokens. */
  last: { readonly kind: number; readonly code: number; readonly start: number; readonly text: string };
  beforeLast: Statement["last"];
};

const NOTHING: Statement["last"] = { kind: END, code: 0, start: 0, text: "" };

function readTypes(scanner: Scanner, facts: FactCollector, isCsharp: boolean): void {
  const scopes = createCurlyScopes();
  const statement: Statement = {
    isExported: false,
    hasValue: false,
    generic: null,
    last: NOTHING,
    beforeLast: NOTHING,
  };
  const restart = (): void => {
    statement.isExported = false;
    statement.hasValue = false;
    statement.generic = null;
    statement.last = statement.beforeLast = NOTHING;
  };
  scanner.next();
  while (scanner.kind !== END) {
    const { code } = scanner;
    if (!scopes.isOuter()) {
      if (scopes.take(code) && scopes.isOuter()) restart();
      scanner.next();
      continue;
    }
    if (scanner.kind === NAME && readWord(scanner, { scopes, statement, facts, isCsharp })) continue;
    if (code === OPEN && scopes.isMember() && scopes.ahead !== "type") defineMethod(statement, facts);
    else if (code === LESS && statement.last.kind === NAME) {
      statement.generic = { name: statement.last.text, start: statement.last.start };
    } else if (code === EQUALS && scopes.isMember()) {
      if (!statement.hasValue) defineField(statement, facts);
      statement.hasValue = true;
    } else if (code === OPEN_BRACE && isCsharp && scopes.isMember() && scopes.ahead === "body") {
      if (!statement.hasValue) defineField(statement, facts);
    }
    const isBrace = scopes.take(code);
    if (isBrace || code === SEMICOLON) {
      if (code === SEMICOLON) scopes.ahead = "body";
      restart();
    } else {
      statement.beforeLast = statement.last;
      const { kind, start } = scanner;
      statement.last = { kind, code, start, text: kind === NAME ? tokenText(scanner) : "" };
    }
    scanner.next();
  }
}

type Reading = {
  readonly scopes: CurlyScopes;
  readonly statement: Statement;
  readonly facts: FactCollector;
  readonly isCsharp: boolean;
};

/** True if the scanner has moved on. */
function readWord(scanner: Scanner, { scopes, statement, facts, isCsharp }: Reading): boolean {
  const word = tokenText(scanner);
  if (EXPORTING.has(word)) statement.isExported = true;
  const isFirst = statement.last === NOTHING;
  const isGlobal = statement.last.text === "global";
  if ((isFirst || isGlobal) && isCsharp && word === "using") {
    return readUsing(scanner, facts, isGlobal ? "re-export" : "import");
  }
  if (isFirst && word === (isCsharp ? "namespace" : "package")) {
    scanner.next();
    const name = readDotted(scanner);
    facts.module ??= name === "" ? null : name;
    scopes.ahead = "space";
    return true;
  }
  if (isFirst && !isCsharp && word === "import") return readJavaImport(scanner, facts);
  const kind = Object.hasOwn(TYPE_WORDS, word) ? TYPE_WORDS[word] : undefined;
  if (kind === undefined || statement.last.code === DOT || scopes.ahead === "type") return false;
  const line = facts.lineAt(scanner.start);
  const { start } = scanner;
  if (scanner.next() !== NAME) return true;
  if (word === "record" && (isWord(scanner, "class") || isWord(scanner, "struct"))) scanner.next();
  // `record` and `struct` are also ordinary names, and `where T : class` ends a line.
  const after = peekCode(scanner, scanner.end);
  const isType =
    scanner.kind === NAME && !isWord(scanner, "where") && after !== EQUALS && after !== SEMICOLON;
  if (word !== "record" ? scanner.kind === NAME && !isWord(scanner, "where") : isType) {
    facts.define(tokenText(scanner), kind, line, statement.isExported);
    scopes.ahead = "type";
    scanner.next();
  } else statement.last = { kind: NAME, code: 0, start, text: word };
  return true;
}

function defineMethod(
  { last, beforeLast, generic, hasValue, isExported }: Statement,
  facts: FactCollector,
): void {
  if (hasValue) return;
  const isGeneric = last.code === GREATER && generic !== null;
  if (isGeneric) {
    facts.define(generic.name, "method", facts.lineAt(generic.start), isExported);
    return;
  }
  const isTyped =
    (beforeLast.kind === NAME && !NOT_TYPES.has(beforeLast.text) && !isModifier(beforeLast.text)) ||
    beforeLast.code === GREATER ||
    beforeLast.code === OPEN_BRACKET ||
    beforeLast.code === QUESTION;
  if (last.kind === NAME && isTyped) facts.define(last.text, "method", facts.lineAt(last.start), isExported);
}

/** A name after a modifier is a constructor. */
function isModifier(word: string): boolean {
  return EXPORTING.has(word) || word === "private" || word === "static";
}

function defineField({ last, beforeLast, isExported }: Statement, facts: FactCollector): void {
  if (
    last.kind !== NAME ||
    (beforeLast.kind !== NAME && ![GREATER, OPEN_BRACKET, QUESTION].includes(beforeLast.code))
  )
    return;
  facts.define(last.text, "variable", facts.lineAt(last.start), isExported);
}

/** `import a.b.C;`, `import a.b.*;`, `import static a.b.C.m;`. */
function readJavaImport(scanner: Scanner, facts: FactCollector): true {
  const line = facts.lineAt(scanner.start);
  scanner.next();
  const isStatic = isWord(scanner, "static");
  if (isStatic || isWord(scanner, "module")) scanner.next();
  const specifier = readDotted(scanner);
  const end = specifier.lastIndexOf(".");
  const name = specifier.slice(end + 1);
  if (scanner.code === STAR) {
    scanner.next();
    facts.addImport({ specifier, line, names: [{ name: "*", as: "*" }] });
  } else if (isStatic && end !== -1) {
    facts.addImport({ specifier: specifier.slice(0, end), line, names: [{ name, as: name }] });
  } else if (name !== "") facts.addImport({ specifier, line, names: [{ name, as: name }] });
  return true;
}

/** `using A.B;`, `using static A.B;`, `using X = A.B;`. A `using` that opens a resource isn't a path before a semicolon. */
function readUsing(scanner: Scanner, facts: FactCollector, kind: "import" | "re-export"): true {
  const line = facts.lineAt(scanner.start);
  scanner.next();
  if (isWord(scanner, "static") || isWord(scanner, "unsafe")) scanner.next();
  let specifier = readDotted(scanner);
  let alias: string | null = null;
  if (scanner.code === EQUALS) {
    alias = specifier;
    scanner.next();
    specifier = readDotted(scanner);
  }
  // `global::System` and generic aliases such as `List<int>`.
  if (specifier === "global" && scanner.code === COLON) {
    scanner.next();
    scanner.next();
    specifier = readDotted(scanner);
  }
  if (scanner.code !== SEMICOLON && scanner.code !== LESS) return true;
  const name = specifier.slice(specifier.lastIndexOf(".") + 1);
  const names = alias === null ? [{ name: "*", as: "*" }] : [{ name, as: alias }];
  facts.addImport({ specifier, line, kind, names });
  return true;
}
