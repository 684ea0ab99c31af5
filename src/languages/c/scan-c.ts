/** Includes and definitions of C and C++. */
import {
  AMPERSAND,
  APOSTROPHE,
  BACKSLASH,
  CLOSE,
  CLOSE_BRACE,
  COLON,
  CR,
  EQUALS,
  GREATER,
  HASH,
  LESS,
  OPEN,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SEMICOLON,
  SLASH,
  STAR,
  TILDE,
} from "../extract/characters.ts";
import { createCurlyScopes, type CurlyScopes } from "../extract/curly-scopes.ts";
import type { FactCollector } from "../extract/fact-collector.ts";
import {
  createScanner,
  END,
  isWord,
  type LexicalRules,
  NAME,
  NUMBER,
  peekCode,
  type Scanner,
  setPunctuation,
  setString,
  skipBlock,
  skipLine,
  STRING,
  stringValue,
  takeQuoted,
  takeUntil,
  tokenText,
} from "../extract/scan-code.ts";
import { skipAngles, skipGroup } from "../extract/token-groups.ts";

/** Names before a parenthesis that don't name a function. */
const NOT_FUNCTIONS: ReadonlySet<string> = new Set(
  (
    "if while for switch return sizeof alignof alignas decltype noexcept throw requires operator typeof defined catch " +
    "__attribute__ __declspec __asm__ asm static_assert _Static_assert"
  ).split(" "),
);

/** Words between the parameters of a function and its body. */
const AFTER_PARAMETERS: ReadonlySet<string> = new Set(
  "const volatile noexcept override final throw requires mutable try __attribute__ __declspec asm".split(" "),
);

const RULES: LexicalRules = {
  specials: "/\"'\\",
  special(scanner, code) {
    const { text, position } = scanner;
    if (code === QUOTE) return takeQuoted(scanner, position);
    if (code === APOSTROPHE) return takeCharacter(scanner);
    const after = text.charCodeAt(position + 1);
    if (code === SLASH && after === SLASH) return skipLine(scanner);
    if (code === SLASH && after === STAR) return skipBlock(scanner);
    setPunctuation(scanner, position, code);
    return true;
  },
  prefixed(scanner) {
    const { text, start, end } = scanner;
    const prefix = text.slice(start, end);
    if (text.charCodeAt(end) !== QUOTE || !/^(?:R|u8R?|[uUL]R?)$/.test(prefix)) return false;
    scanner.position = start;
    if (!prefix.endsWith("R")) return takeQuoted(scanner, end);
    const delimiter = /^[^()\\\s]{0,16}(?=\()/.exec(text.slice(end + 1, end + 18))?.[0];
    if (delimiter === undefined) return takeQuoted(scanner, end);
    return takeUntil(scanner, end + 2 + delimiter.length, `)${delimiter}"`);
  },
};

/** The quote in 1'000'000 separates digits. */
function takeCharacter(scanner: Scanner): true {
  const { position, end, kind } = scanner;
  if (kind === NUMBER && end === position)
    return setString(scanner, position, position, position, position + 1);
  return takeQuoted(scanner, position);
}

type Candidate = {
  readonly name: string;
  readonly line: number;
  readonly isDeclared: boolean;
  readonly isMember: boolean;
};

/** A declaration as far as it was read. */
type Declaration = {
  /** The first name before a parenthesis: a function, if a body or a semicolon follows. */
  candidate: Candidate | null;
  isStatic: boolean;
  isTypedef: boolean;
  hasValue: boolean;
  /** The parameters are over. */
  isPastParameters: boolean;
  /** The name in `typedef void (*name)(int)`. */
  pointerName: string | null;
  lastName: string | null;
  lastNameStart: number;
  lastCode: number;
  beforeLastCode: number;
};

function newDeclaration(): Declaration {
  return {
    candidate: null,
    isStatic: false,
    isTypedef: false,
    hasValue: false,
    isPastParameters: false,
    pointerName: null,
    lastName: null,
    lastNameStart: 0,
    lastCode: 0,
    beforeLastCode: 0,
  };
}

/** Stands for a name where the code of punctuation is expected. */
const A_NAME = 1;

export function readC(text: string, facts: FactCollector): void {
  const scanner = createScanner(text, RULES);
  const scopes = createCurlyScopes();
  let declaration = newDeclaration();
  scanner.next();
  while (scanner.kind !== END) {
    const { code, isLineStart } = scanner;
    if (code === HASH && isLineStart) {
      readDirective(scanner, facts);
      continue;
    }
    if (code === CLOSE_BRACE && isLineStart && scanner.start === scanner.lineStart && scopes.closeBodies()) {
      // A brace in the first column ends a function, even if `#if` left others open.
      declaration = newDeclaration();
      scanner.next();
      continue;
    }
    if (!scopes.isOuter()) {
      if (scopes.parens > 0 && code === STAR && declaration.lastCode === OPEN) declaration.lastCode = STAR;
      else if (scanner.kind === NAME && declaration.lastCode === STAR && declaration.isTypedef) {
        declaration.pointerName ??= tokenText(scanner);
        declaration.lastCode = 0;
      } else if (code !== 0 || scanner.kind === NAME) declaration.lastCode = code;
      scopes.take(code);
      if (scopes.isOuter()) declaration.isPastParameters = code === CLOSE;
      scanner.next();
      continue;
    }
    if (scanner.kind === NAME) {
      if (readWord(scanner, { scopes, declaration, facts })) continue;
    } else if (code !== 0) {
      takePunctuation(scanner, { scopes, declaration, facts });
      const isBrace = scopes.take(code);
      if (code === SEMICOLON) scopes.ahead = "body";
      // A typedef goes on behind the body of its type.
      if (code === SEMICOLON || (isBrace && !declaration.isTypedef)) declaration = newDeclaration();
    }
    declaration.beforeLastCode = declaration.lastCode;
    declaration.lastCode = scanner.kind === NAME ? A_NAME : code;
    scanner.next();
  }
}

type Reading = {
  readonly scopes: CurlyScopes;
  readonly declaration: Declaration;
  readonly facts: FactCollector;
};

function takePunctuation(scanner: Scanner, { scopes, declaration, facts }: Reading): void {
  const { code } = scanner;
  const { candidate, lastName, lastNameStart } = declaration;
  const isExported = !declaration.isStatic;
  if (code === OPEN && declaration.lastCode === A_NAME && lastName !== null) {
    if (candidate === null && !declaration.hasValue && !NOT_FUNCTIONS.has(lastName)) {
      const before = declaration.beforeLastCode;
      const isDeclared = [A_NAME, STAR, AMPERSAND, GREATER].includes(before);
      if (before !== TILDE) {
        declaration.candidate = {
          name: lastName,
          line: facts.lineAt(lastNameStart),
          isDeclared,
          isMember: before === COLON || scopes.isMember(),
        };
      }
    }
  } else if (code === EQUALS && !declaration.hasValue) {
    declaration.hasValue = true;
    const isVariable = candidate === null && lastName !== null && declaration.lastCode === A_NAME;
    if (isVariable && !scopes.isMember() && declaration.beforeLastCode !== 0) {
      facts.define(lastName, "variable", facts.lineAt(lastNameStart), isExported);
    }
  } else if (code === OPEN_BRACE) {
    if (candidate !== null && scopes.ahead === "body" && !declaration.hasValue) {
      defineFunction(candidate, facts, isExported);
    }
  } else if (code === SEMICOLON) {
    if (declaration.isTypedef) {
      const name = declaration.pointerName ?? lastName;
      if (name !== null) facts.define(name, "type", facts.lineAt(scanner.start), true);
    } else if (candidate !== null && candidate.isDeclared && scopes.ahead === "body") {
      const isDefaulted = declaration.hasValue && !scopes.isMember();
      if (!isDefaulted) defineFunction(candidate, facts, isExported);
    }
  }
}

function defineFunction(
  { name, line, isMember }: Candidate,
  facts: FactCollector,
  isExported: boolean,
): void {
  facts.define(name, isMember ? "method" : "function", line, isExported);
}

/** True if the scanner has moved on. */
function readWord(scanner: Scanner, reading: Reading): boolean {
  const { scopes, declaration, facts } = reading;
  const word = tokenText(scanner);
  switch (word) {
    case "static":
      declaration.isStatic = !scopes.isMember();
      return false;
    case "typedef":
      declaration.isTypedef = true;
      return false;
    case "template":
      scanner.next();
      skipAngles(scanner);
      return true;
    case "struct":
    case "class":
    case "union":
    case "enum":
      readType(scanner, reading);
      return true;
    case "namespace":
      readNamespace(scanner, reading);
      return true;
    case "extern":
      // `extern "C" {` hides nothing.
      if (scanner.next() === STRING) {
        scanner.next();
        if (scanner.code === OPEN_BRACE) scopes.ahead = "space";
      }
      return true;
    case "using": {
      const line = facts.lineAt(scanner.start);
      if (scanner.next() === NAME && peekCode(scanner, scanner.end) === EQUALS) {
        facts.define(tokenText(scanner), "type", line, true);
        declaration.hasValue = true;
      }
      return true;
    }
    default: {
      const isMacro = declaration.isPastParameters && scanner.isLineStart && declaration.candidate !== null;
      // `MACRO(x)` without a semicolon, and then another declaration.
      if (isMacro && !AFTER_PARAMETERS.has(word) && declaration.lastCode !== COLON) {
        declaration.candidate = null;
        declaration.isPastParameters = false;
      }
      declaration.lastName = word;
      declaration.lastNameStart = scanner.start;
      return false;
    }
  }
}

/** `struct name {`, `class MACRO name final : public base {`. Others only mention the type. */
function readType(scanner: Scanner, { scopes, declaration, facts }: Reading): void {
  const isEnum = isWord(scanner, "enum");
  const line = facts.lineAt(scanner.start);
  scanner.next();
  let name: string | null = null;
  while (scanner.kind === NAME || scanner.code === OPEN || scanner.code === OPEN_BRACKET) {
    if (scanner.kind !== NAME) skipGroup(scanner);
    else {
      if (!["final", "class", "struct", "alignas"].some((word) => isWord(scanner, word)))
        name = tokenText(scanner);
      declaration.lastName = name;
      declaration.lastNameStart = scanner.start;
      declaration.lastCode = A_NAME;
      const after = peekCode(scanner, scanner.end);
      // `struct a *f(` and `struct a f(` use the type.
      if (after === OPEN && !isWord(scanner, "alignas") && !/^__|^[A-Z_]+$/.test(name ?? "")) return;
      scanner.next();
      while (scanner.code === COLON && scanner.text.charCodeAt(scanner.end) === COLON) {
        scanner.next();
        scanner.next();
      }
    }
  }
  if (scanner.code === LESS) skipAngles(scanner);
  if (scanner.code !== OPEN_BRACE && scanner.code !== COLON) return;
  if (name !== null) facts.define(name, "class", line, true);
  // A type in a typedef has a name of its own behind its body.
  scopes.ahead = isEnum || declaration.isTypedef ? "body" : "type";
}

function readNamespace(scanner: Scanner, { scopes, facts }: Reading): void {
  const line = facts.lineAt(scanner.start);
  let name: string | null = null;
  while (scanner.next() === NAME || scanner.code === COLON)
    if (scanner.kind === NAME) name = tokenText(scanner);
  if (scanner.code !== OPEN_BRACE) return;
  if (name !== null) facts.define(name, "module", line, true);
  scopes.ahead = "space";
}

/** Reads an `#include` or a `#define`, and skips to the end of its last line. */
function readDirective(scanner: Scanner, facts: FactCollector): void {
  const line = facts.lineAt(scanner.start);
  const { text } = scanner;
  const start = scanner.position;
  scanner.next();
  if (!scanner.isLineStart && scanner.kind === NAME) {
    const word = tokenText(scanner);
    if (word === "include" || word === "include_next" || word === "import") readInclude(scanner, line, facts);
    else if (word === "define" && scanner.next() === NAME && !scanner.isLineStart) {
      const isFunction = text.charCodeAt(scanner.end) === OPEN;
      facts.define(tokenText(scanner), isFunction ? "function" : "variable", line, true);
    }
  }
  scanner.position = directiveEnd(scanner, start);
  scanner.next();
}

function readInclude(scanner: Scanner, line: number, facts: FactCollector): void {
  const { text, end } = scanner;
  const rest = /^[ \t]{0,20}<([^>\n]{1,300})>/.exec(text.slice(end, end + 330));
  const system = rest?.[1];
  if (system !== undefined) facts.addImport({ specifier: system, line, kind: "system" });
  else if (scanner.next() === STRING)
    facts.addImport({ specifier: stringValue(scanner), line, kind: "include" });
}

/** The end of the line, behind lines that end with a backslash. */
function directiveEnd({ text, limit }: Scanner, from: number): number {
  for (let at = text.indexOf("\n", from); at !== -1 && at < limit; at = text.indexOf("\n", at + 1)) {
    const isJoined =
      text.charCodeAt(at - 1) === BACKSLASH ||
      (text.charCodeAt(at - 1) === CR && text.charCodeAt(at - 2) === BACKSLASH);
    if (!isJoined) return at;
  }
  return limit;
}
