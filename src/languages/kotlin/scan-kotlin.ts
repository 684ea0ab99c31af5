/** Imports and definitions of Kotlin. */
import {
  APOSTROPHE,
  BACKTICK,
  COLON,
  DOT,
  EQUALS,
  LESS,
  OPEN,
  OPEN_BRACE,
  QUOTE,
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
  type Scanner,
  setPunctuation,
  setToken,
  skipLine,
  skipNestedBlock,
  takeQuoted,
  tokenText,
} from "../extract/scan-code.ts";
import { readDotted, skipAngles } from "../extract/token-groups.ts";

const KINDS: Readonly<Record<string, DefinitionFact["kind"]>> = {
  class: "class",
  object: "class",
  interface: "type",
  typealias: "type",
  val: "variable",
  var: "variable",
};

function kotlinRules(): LexicalRules {
  const strings = createInterpolatedStrings();
  return {
    specials: "/\"'{}`",
    special(scanner, code) {
      const { text, position } = scanner;
      if (code === QUOTE) {
        const isRaw = text.startsWith('"""', position);
        const form = { opening: "${", hasEscapes: !isRaw, isMultiline: isRaw };
        return strings.take(scanner, position + (isRaw ? 3 : 1), { closing: isRaw ? '"""' : '"', ...form });
      }
      if (code === APOSTROPHE) return takeQuoted(scanner, position);
      if (code === SLASH) {
        const after = text.charCodeAt(position + 1);
        if (after === SLASH) return skipLine(scanner);
        if (after === STAR) return skipNestedBlock(scanner);
      } else if (code === BACKTICK) return takeQuotedName(scanner);
      else if (strings.takeBrace(scanner, code)) return true;
      setPunctuation(scanner, position, code);
      return true;
    },
  };
}

/** A name in backticks, as in names of tests. */
function takeQuotedName(scanner: Scanner): true {
  const { text, position } = scanner;
  const name = /^[^`\n]{1,200}(?=`)/.exec(text.slice(position + 1, position + 202))?.[0];
  if (name === undefined) setPunctuation(scanner, position, BACKTICK);
  else {
    setToken(scanner, NAME, position + 1, position + 1 + name.length);
    scanner.position = position + 2 + name.length;
  }
  return true;
}

export function readKotlin(text: string, facts: FactCollector): void {
  const scanner = createScanner(text, kotlinRules());
  const scopes = createCurlyScopes();
  let isHidden = false;
  let lastCode = 0;
  scanner.next();
  while (scanner.kind !== END) {
    const { code } = scanner;
    if (scanner.kind === NAME && scopes.isOuter()) {
      if (scanner.isLineStart) isHidden = false;
      if (isWord(scanner, "private") || isWord(scanner, "internal")) isHidden = true;
      if (
        lastCode !== DOT &&
        lastCode !== COLON &&
        readWord(scanner, { scopes, facts, isExported: !isHidden })
      ) {
        lastCode = 0;
        continue;
      }
    }
    if (code !== 0) scopes.take(code);
    lastCode = code;
    scanner.next();
  }
}

type Reading = {
  readonly scopes: CurlyScopes;
  readonly facts: FactCollector;
  readonly isExported: boolean;
};

/** True if the scanner has moved on. */
function readWord(scanner: Scanner, { scopes, facts, isExported }: Reading): boolean {
  const word = tokenText(scanner);
  const line = facts.lineAt(scanner.start);
  if (word === "package" && scanner.isLineStart) {
    scanner.next();
    facts.module ??= readDotted(scanner);
    return true;
  }
  if (word === "import" && scanner.isLineStart) {
    readImport(scanner, facts);
    return true;
  }
  if (word === "fun") {
    scanner.next();
    // `fun interface` declares a type.
    if (isWord(scanner, "interface")) return true;
    const isMember = scopes.isMember();
    const name = readFunctionName(scanner);
    if (name !== null) facts.define(name, isMember ? "method" : "function", line, isExported);
    scopes.ahead = "body";
    return true;
  }
  const kind = Object.hasOwn(KINDS, word) ? KINDS[word] : undefined;
  if (kind === undefined) return false;
  const isMember = scopes.isMember();
  scanner.next();
  const isType = kind === "class" || word === "interface";
  // `object : Listener {` is a value. `companion object {` has no name.
  if (isType) scopes.ahead = scanner.kind === NAME || scanner.code === OPEN_BRACE ? "type" : "body";
  else scopes.ahead = "body";
  if (scanner.code === LESS) skipAngles(scanner);
  const isName = scanner.kind === NAME && !(scanner.isLineStart && kind === "class");
  if (isName && !(kind === "variable" && isMember && scanner.text.charCodeAt(scanner.end) === DOT)) {
    facts.define(tokenText(scanner), kind, line, isExported);
    scanner.next();
  }
  return true;
}

/** Reads `<T> List<T>.name(`, and stops at the parenthesis. */
function readFunctionName(scanner: Scanner): string | null {
  let name: string | null = null;
  while (
    scanner.kind !== END &&
    scanner.code !== OPEN &&
    scanner.code !== OPEN_BRACE &&
    scanner.code !== EQUALS
  ) {
    if (scanner.code === LESS) {
      skipAngles(scanner);
      continue;
    }
    if (scanner.kind === NAME) name = tokenText(scanner);
    scanner.next();
  }
  return scanner.code === OPEN ? name : null;
}

/** `import a.b.C`, `import a.b.C as D`, `import a.b.*`. */
function readImport(scanner: Scanner, facts: FactCollector): void {
  const line = facts.lineAt(scanner.start);
  scanner.next();
  const specifier = readDotted(scanner);
  if (specifier === "") return;
  if (scanner.code === STAR) {
    scanner.next();
    return facts.addImport({ specifier, line, names: [{ name: "*", as: "*" }] });
  }
  const name = specifier.slice(specifier.lastIndexOf(".") + 1);
  let as = name;
  if (isWord(scanner, "as") && !scanner.isLineStart && scanner.next() === NAME) {
    as = tokenText(scanner);
    scanner.next();
  }
  facts.addImport({ specifier, line, names: [{ name, as }] });
}
