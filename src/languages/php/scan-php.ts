/** Imports and definitions of PHP. */
import {
  AMPERSAND,
  CLOSE,
  CLOSE_BRACE,
  COLON,
  COMMA,
  DOLLAR,
  DOT,
  EQUALS,
  GREATER,
  HASH,
  LESS,
  MINUS,
  OPEN,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUESTION,
  SEMICOLON,
  SLASH,
  STAR,
} from "../extract/characters.ts";
import type { DefinitionFact } from "../file-facts.ts";
import { createCurlyScopes, type CurlyScopes } from "../extract/curly-scopes.ts";
import type { FactCollector } from "../extract/fact-collector.ts";
import {
  createScanner,
  END,
  isWord,
  type LexicalRules,
  NAME,
  peekCode,
  type Scanner,
  setPunctuation,
  setString,
  skipBlock,
  STRING,
  stringValue,
  takeQuoted,
  tokenText,
} from "../extract/scan-code.ts";

const TYPE_WORDS: Readonly<Record<string, DefinitionFact["kind"]>> = {
  class: "class",
  trait: "class",
  enum: "class",
  interface: "type",
};

const INCLUDES: ReadonlySet<string> = new Set(["require", "require_once", "include", "include_once"]);

/** A backslash is part of a name: `App\Shop\Cart`. */
const RULES: LexicalRules = {
  specials: "/#\"'`<?",
  letters: "\\",
  special(scanner, code) {
    const { text, position } = scanner;
    if (code === SLASH || code === HASH) {
      const after = text.charCodeAt(position + 1);
      if (code === SLASH && after === STAR) return skipBlock(scanner);
      // `#[` starts an attribute.
      if (code === HASH ? after !== OPEN_BRACKET : after === SLASH) return skipComment(scanner);
    } else if (code === LESS) {
      if (text.startsWith("<<<", position)) return takeHeredoc(scanner);
    } else if (code === QUESTION) {
      // Text up to the next `<?` isn't code.
      if (text.charCodeAt(position + 1) === GREATER) return skipMarkup(scanner, position + 2);
    } else return takeQuoted(scanner, position, true);
    setPunctuation(scanner, position, code);
    return true;
  },
};

/** A comment ends with its line, or with `?>`. */
function skipComment(scanner: Scanner): false {
  const { text, position, limit } = scanner;
  const end = text.indexOf("\n", position);
  const line = text.slice(position, end === -1 ? limit : end);
  const close = line.indexOf("?>");
  scanner.position = close === -1 ? position + line.length : position + close;
  return false;
}

function skipMarkup(scanner: Scanner, from: number): false {
  const { text, limit } = scanner;
  const open = text.indexOf("<?", from);
  scanner.position = open === -1 ? limit : afterTag(text, open);
  scanner.isLineStart = true;
  return false;
}

function afterTag(text: string, open: number): number {
  return open + (text.slice(open, open + 5).toLowerCase() === "<?php" ? 5 : 2);
}

function takeHeredoc(scanner: Scanner): true {
  const { text, position, limit } = scanner;
  const [whole, name] = /^<<<[ \t]{0,9}["']?(\w{1,60})["']?/.exec(text.slice(position, position + 80)) ?? [];
  if (whole === undefined || name === undefined) {
    setPunctuation(scanner, position, LESS);
    return true;
  }
  for (let at = text.indexOf("\n", position); at !== -1; at = text.indexOf("\n", at + 1)) {
    const [indent] = /^[ \t]{0,80}/.exec(text.slice(at + 1, at + 82)) ?? [""];
    const start = at + 1 + indent.length;
    if (text.startsWith(name, start)) return setString(scanner, position, position, at, start + name.length);
  }
  return setString(scanner, position, position, limit, limit);
}

export function readPhp(text: string, facts: FactCollector): void {
  const open = text.indexOf("<?");
  if (open === -1) return;
  const scanner = createScanner(text, RULES, { from: afterTag(text, open), to: text.length });
  const scopes = createCurlyScopes();
  const state = { isHidden: false, lastCode: 0 };
  scanner.next();
  while (scanner.kind !== END) {
    const { code } = scanner;
    if (scanner.kind === NAME && state.lastCode !== DOLLAR && state.lastCode !== COLON_OR_ARROW) {
      const word = tokenText(scanner);
      if (word === "private" || word === "protected") state.isHidden = true;
      if (readWord(scanner, word, { scopes, facts, isExported: !state.isHidden })) {
        state.lastCode = 0;
        continue;
      }
    }
    if (code !== 0) scopes.take(code);
    if (code === SEMICOLON || code === OPEN_BRACE || code === CLOSE_BRACE) state.isHidden = false;
    const isArrow = code === GREATER && state.lastCode === MINUS;
    const isScope = code === COLON && state.lastCode === COLON;
    state.lastCode = isArrow || isScope ? COLON_OR_ARROW : code;
    scanner.next();
  }
}

/** Stands for `->` and `::`, after which a word is the name of a member. */
const COLON_OR_ARROW = 1;

type Reading = {
  readonly scopes: CurlyScopes;
  readonly facts: FactCollector;
  readonly isExported: boolean;
};

/** True if the scanner has moved on. */
function readWord(scanner: Scanner, word: string, { scopes, facts, isExported }: Reading): boolean {
  if (INCLUDES.has(word)) return readInclude(scanner, facts);
  if (!scopes.isOuter()) return false;
  const line = facts.lineAt(scanner.start);
  if (word === "use") {
    // In a class, it names traits.
    if (scopes.isMember()) return false;
    readUse(scanner, facts);
    return true;
  }
  if (word === "namespace") {
    if (scanner.next() === NAME) {
      facts.module ??= tokenText(scanner);
      scanner.next();
    }
    if (scanner.code === OPEN_BRACE) scopes.ahead = "space";
    return true;
  }
  if (word === "function") {
    const isMember = scopes.isMember();
    scanner.next();
    if (scanner.code === AMPERSAND) scanner.next();
    if (scanner.kind === NAME)
      facts.define(tokenText(scanner), isMember ? "method" : "function", line, isExported);
    scopes.ahead = "body";
    return scanner.kind !== NAME || scanner.next() !== -1;
  }
  if (word === "const") {
    scanner.next();
    const isTyped = scanner.kind === NAME && peekCode(scanner, scanner.end) !== EQUALS;
    if (isTyped) scanner.next();
    if (scanner.kind === NAME) facts.define(tokenText(scanner), "variable", line, isExported);
    return true;
  }
  const kind = Object.hasOwn(TYPE_WORDS, word) ? TYPE_WORDS[word] : undefined;
  if (kind === undefined) return false;
  scanner.next();
  // `enum` is also an ordinary name, and `new class {` has none.
  if (scanner.kind === NAME && !isWord(scanner, "extends") && !isWord(scanner, "implements")) {
    facts.define(tokenText(scanner), kind, line, true);
    scopes.ahead = "type";
    scanner.next();
  }
  return true;
}

/** `use A\B as C, D;`, `use function A\f;`, `use A\{B, C as D, function f};`. */
function readUse(scanner: Scanner, facts: FactCollector): void {
  const line = facts.lineAt(scanner.start);
  let prefix = "";
  scanner.next();
  if (isWord(scanner, "function") || isWord(scanner, "const")) scanner.next();
  while (scanner.kind === NAME || scanner.code === OPEN_BRACE || scanner.code === COMMA) {
    if (scanner.code === OPEN_BRACE || scanner.code === COMMA) {
      scanner.next();
      if (isWord(scanner, "function") || isWord(scanner, "const")) scanner.next();
      continue;
    }
    const path = tokenText(scanner);
    scanner.next();
    if (scanner.code === OPEN_BRACE) {
      prefix = path;
      continue;
    }
    const specifier = `${prefix}${path}`.replace(/^\\/, "");
    const name = specifier.slice(specifier.lastIndexOf("\\") + 1);
    let as = name;
    if (isWord(scanner, "as") && scanner.next() === NAME) {
      as = tokenText(scanner);
      scanner.next();
    }
    facts.addImport({ specifier, line, names: [{ name, as }] });
    if (scanner.code === CLOSE_BRACE) {
      prefix = "";
      scanner.next();
    }
  }
}

/** `require "x.php"`, `require __DIR__ . "/x.php"` and `require dirname(__FILE__) . "/x.php"`. */
function readInclude(scanner: Scanner, facts: FactCollector): true {
  const line = facts.lineAt(scanner.start);
  let isHere = false;
  scanner.next();
  // Parentheses around the path aren't counted: both are skipped here.
  const isParenthesized = scanner.code === OPEN;
  if (isParenthesized) scanner.next();
  if (isWord(scanner, "__DIR__")) {
    isHere = true;
    scanner.next();
  } else if (isWord(scanner, "dirname") || isWord(scanner, "\\dirname")) {
    scanner.next();
    if (scanner.code === OPEN && scanner.next() === NAME && isWord(scanner, "__FILE__")) {
      isHere = true;
      scanner.next();
    }
    if (scanner.code === CLOSE) scanner.next();
  }
  if (isHere && scanner.code === DOT) scanner.next();
  if (scanner.kind !== STRING) return true;
  const value = stringValue(scanner);
  scanner.next();
  const isLiteral = scanner.code === SEMICOLON || scanner.code === CLOSE;
  if (isParenthesized && scanner.code === CLOSE) scanner.next();
  if (isLiteral && !value.includes("$")) {
    facts.addImport({ specifier: isHere ? `.${value}` : value, line, kind: "include" });
  }
  return true;
}
