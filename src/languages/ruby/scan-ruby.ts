/** Imports and definitions of Ruby. */
import {
  BACKSLASH,
  CLOSE,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  DOT,
  EQUALS,
  HASH,
  LESS,
  LF,
  OPEN,
  PERCENT,
  SLASH,
  TILDE,
} from "../extract/characters.ts";
import type { FactCollector } from "../extract/fact-collector.ts";
import {
  createScanner,
  END,
  isWord,
  NAME,
  NUMBER,
  peekCode,
  PUNCTUATION,
  type Scanner,
  setPunctuation,
  setString,
  skipLine,
  STRING,
  stringValue,
  takeQuoted,
  takeUntil,
  tokenText,
  type LexicalRules,
} from "../extract/scan-code.ts";

const BEFORE_EXPRESSION: ReadonlySet<string> = new Set(
  "if unless while until and or not return when in do then else elsif puts match".split(" "),
);

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };

/** More documents that start on one line are made to break parsers. */
const MAX_PENDING_HEREDOCS = 20;

function rubyRules(): LexicalRules {
  /** Terminators of the documents that start on the next line. */
  const pending: string[] = [];
  /** No regular expression ends before this position. */
  let noRegexBefore = 0;

  function skipHeredocs(scanner: Scanner): false {
    const { text, limit } = scanner;
    let at = scanner.position + 1;
    for (const terminator of pending.splice(0)) {
      while (at < limit) {
        const found = text.indexOf("\n", at);
        const end = found === -1 ? limit : found;
        const isEnd = end - at < terminator.length + 200 && text.slice(at, end).trim() === terminator;
        at = end + 1;
        if (isEnd) break;
      }
    }
    scanner.position = Math.min(at, limit);
    scanner.isLineStart = true;
    scanner.lineStart = scanner.position;
    return false;
  }

  function takeHeredoc(scanner: Scanner): boolean {
    const { text, position } = scanner;
    const [whole, terminator] =
      /^<<[~-]?["'`]?([A-Z_a-z]\w{0,60})["'`]?/.exec(text.slice(position, position + 70)) ?? [];
    const isShift =
      scanner.kind !== PUNCTUATION &&
      text.charCodeAt(position + 2) !== TILDE &&
      !/^<<[-"'A-Z]/.test(whole ?? "");
    if (
      whole === undefined ||
      terminator === undefined ||
      isShift ||
      pending.length >= MAX_PENDING_HEREDOCS
    ) {
      setPunctuation(scanner, position, LESS);
      return true;
    }
    pending.push(terminator);
    return setString(scanner, position, position, position, position + whole.length);
  }

  function takeRegex(scanner: Scanner): boolean {
    const { text, position } = scanner;
    if (position >= noRegexBefore && canStartExpression(scanner, position)) {
      const end = lineEnd(text, position, scanner.limit);
      const close = closingSlash(text, position + 1, end);
      if (close !== -1) return setString(scanner, position, position + 1, close, close + 1);
      noRegexBefore = end;
    }
    setPunctuation(scanner, position, SLASH);
    return true;
  }

  return {
    specials: "#\"'`/%<=\n",
    special(scanner, code) {
      const { text, position } = scanner;
      if (code === LF) {
        if (pending.length > 0) return skipHeredocs(scanner);
        scanner.position = position + 1;
        scanner.isLineStart = true;
        scanner.lineStart = position + 1;
        return false;
      }
      if (code === HASH) return skipLine(scanner);
      if (code === EQUALS) {
        if (scanner.isLineStart && position === scanner.lineStart && text.startsWith("=begin", position)) {
          const end = text.indexOf("\n=end", position);
          scanner.position = end === -1 ? scanner.limit : end + 5;
          return skipLine(scanner);
        }
      } else if (code === SLASH) return takeRegex(scanner);
      else if (code === LESS) {
        if (text.charCodeAt(position + 1) === LESS) return takeHeredoc(scanner);
      } else if (code === PERCENT) {
        const percent = takePercent(scanner);
        if (percent) return true;
      } else return takeQuoted(scanner, position, true);
      setPunctuation(scanner, position, code);
      return true;
    },
  };
}

/** `%w[a b]`, `%q(…)`, `%(…)`. Nested brackets are rare. */
function takePercent(scanner: Scanner): boolean {
  const { text, position } = scanner;
  const [whole, , opening] = /^%([qQwWiIrsx]?)([[({<|!/])/.exec(text.slice(position, position + 3)) ?? [];
  if (whole === undefined || opening === undefined) return false;
  if (whole.length === 2 && !canStartExpression(scanner, position)) return false;
  return takeUntil(scanner, position + whole.length, CLOSING[opening] ?? opening);
}

/** Whether the current token can precede a value, so that a slash or percent sign isn't an operator. */
function canStartExpression(scanner: Scanner, position: number): boolean {
  const { kind, code, end, text } = scanner;
  if (kind === STRING || kind === NUMBER) return false;
  if (kind === PUNCTUATION) return code !== CLOSE && code !== CLOSE_BRACKET && code !== CLOSE_BRACE;
  if (kind === END || BEFORE_EXPRESSION.has(tokenText(scanner))) return true;
  // `puts /a/` has a space before the slash and none behind it.
  return position > end && text.charCodeAt(position + 1) > 32;
}

function lineEnd(text: string, from: number, limit: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 || end > limit ? limit : end;
}

function closingSlash(text: string, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === SLASH) return at;
  }
  return -1;
}

export function readRuby(text: string, facts: FactCollector): void {
  const scanner = createScanner(text, rubyRules());
  let isPrivate = false;
  scanner.next();
  while (scanner.kind !== END) {
    if (scanner.kind === NAME && scanner.isLineStart) {
      const word = tokenText(scanner);
      if (word === "__END__" && scanner.start === scanner.lineStart) return;
      if (word === "private" || word === "public") isPrivate = word === "private" && isAlone(scanner);
      if (word === "class" || word === "module") isPrivate = false;
      if (readLine(scanner, word, { facts, isPrivate })) continue;
    }
    scanner.next();
  }
}

/** `private` without names hides the methods after it. */
function isAlone({ text, end }: Scanner): boolean {
  return /^[ \t]{0,50}(?:#|\r?\n|$)/.test(text.slice(end, end + 52));
}

/** True if the scanner has moved on. */
function readLine(
  scanner: Scanner,
  word: string,
  { facts, isPrivate }: { readonly facts: FactCollector; readonly isPrivate: boolean },
): boolean {
  const line = facts.lineAt(scanner.start);
  const isIndented = scanner.start !== scanner.lineStart;
  switch (word) {
    case "require":
    case "require_relative":
    case "load":
      readRequire(scanner, word, facts);
      return true;
    case "autoload":
      readAutoload(scanner, facts);
      return true;
    case "class":
    case "module":
      scanner.next();
      if (scanner.kind !== NAME) return true;
      facts.define(readConstant(scanner), word === "class" ? "class" : "module", line, true);
      return true;
    case "private":
    case "protected":
    case "public":
    case "private_class_method": {
      // `private def a`.
      if (scanner.next() === NAME && isWord(scanner, "def") && !scanner.isLineStart) {
        readMethod(scanner, { facts, line, isExported: word === "public", isIndented });
      }
      return true;
    }
    case "def":
      readMethod(scanner, { facts, line, isExported: !isPrivate, isIndented });
      return true;
    default: {
      const { end, text } = scanner;
      const isConstant = /^\p{Lu}/u.test(word) && peekCode(scanner, end) === EQUALS;
      if (!isConstant || !/^[ \t]{0,50}=(?![=~>])/.test(text.slice(end, end + 53))) return false;
      facts.define(word, "variable", line, true);
      return false;
    }
  }
}

/** Reads `A::B`, and returns its last part. */
function readConstant(scanner: Scanner): string {
  let name = tokenText(scanner);
  while (scanner.next() !== END && scanner.code === COLON && scanner.text.charCodeAt(scanner.end) === COLON) {
    scanner.next();
    if (scanner.next() !== NAME) break;
    name = tokenText(scanner);
  }
  return name;
}

/** `def name`, `def self.name`, `def name?`. */
function readMethod(
  scanner: Scanner,
  how: {
    readonly facts: FactCollector;
    readonly line: number;
    readonly isExported: boolean;
    readonly isIndented: boolean;
  },
): void {
  const { facts, line, isExported, isIndented } = how;
  if (scanner.next() !== NAME) return;
  let isSingleton = false;
  if (scanner.text.charCodeAt(scanner.end) === DOT) {
    isSingleton = true;
    scanner.next();
    if (scanner.next() !== NAME) return;
  }
  const { text, end } = scanner;
  const suffix = /^(?:[?!]|=(?=\())/.exec(text.slice(end, end + 2))?.[0] ?? "";
  const kind = isIndented || isSingleton ? "method" : "function";
  facts.define(tokenText(scanner) + suffix, kind, line, isExported);
  scanner.next();
}

/** `require "a"`, `require_relative "a"` and `load "a.rb"` with a literal. */
function readRequire(scanner: Scanner, word: string, facts: FactCollector): void {
  const line = facts.lineAt(scanner.start);
  scanner.next();
  if (scanner.code === OPEN) scanner.next();
  if (scanner.kind !== STRING || scanner.isLineStart) return;
  const value = stringValue(scanner);
  if (!value.includes("#{")) {
    facts.addImport({ specifier: word === "require_relative" ? relative(value) : value, line });
  }
  scanner.next();
}

function relative(path: string): string {
  return path.startsWith("./") || path.startsWith("../") ? path : `./${path}`;
}

/** `autoload :Cart, "shop/cart"`. */
function readAutoload(scanner: Scanner, facts: FactCollector): void {
  const line = facts.lineAt(scanner.start);
  scanner.next();
  if (scanner.code === OPEN) scanner.next();
  if (scanner.code !== COLON || scanner.next() !== NAME) return;
  const name = tokenText(scanner);
  scanner.next();
  if (scanner.code !== COMMA || scanner.next() !== STRING) return;
  facts.addImport({ specifier: stringValue(scanner), line, names: [{ name, as: name }] });
  scanner.next();
}
