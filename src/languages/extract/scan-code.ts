/**
 * A scanner that gives the names, strings and punctuation of source code one after another, without comments. Each language
 * has its own lexical rules. It never goes back, so it takes linear time, and it accepts any text.
 */
import { APOSTROPHE, BACKSLASH, HASH, LF, QUOTE, SLASH, STAR } from "./characters.ts";

export const END: number = 0;
export const NAME: number = 1;
export const STRING: number = 2;
export const PUNCTUATION: number = 3;
export const NUMBER: number = 4;

/** The current token. Its fields change with every `next`. */
export type Scanner = {
  readonly text: string;
  /** Where the scanned part ends. */
  readonly limit: number;
  kind: number;
  start: number;
  end: number;
  /** The character of punctuation; 0 for other tokens. */
  code: number;
  /** The content of a string, without quotes. */
  valueStart: number;
  valueEnd: number;
  /** The token is the first of its line. */
  isLineStart: boolean;
  /** Where the line of the token starts. */
  lineStart: number;
  /** Where the next token is searched. */
  position: number;
  next(): number;
};

export type LexicalRules = {
  /** Characters that `special` handles; all others than letters, digits, spaces and these are punctuation. */
  readonly specials: string;
  /** Characters of names, in addition to letters, digits and underscores. */
  readonly letters?: string;
  /**
   * Handles the special character at `position`, and moves `position` behind it. True if it made a token; false if it
   * skipped a comment.
   */
  special(scanner: Scanner, code: number): boolean;
  /** Handles a quote or # right after a name, such as `r"…"`. True if the name is the prefix of a string, which is then the token. */
  prefixed?(scanner: Scanner): boolean;
};

const SPACE = 1;
const NEWLINE = 2;
const LETTER = 3;
const DIGIT = 4;
const SPECIAL = 5;

function classesOf({ specials, letters = "" }: LexicalRules): Uint8Array {
  const classes = new Uint8Array(128);
  for (const code of [9, 11, 12, 13, 32]) classes[code] = SPACE;
  classes[LF] = NEWLINE;
  for (let code = 48; code < 58; code++) classes[code] = DIGIT;
  for (let code = 65; code < 91; code++) classes[code] = classes[code + 32] = LETTER;
  for (const letter of `_${letters}`) classes[letter.charCodeAt(0)] = LETTER;
  for (const special of specials) classes[special.charCodeAt(0)] = SPECIAL;
  return classes;
}

export function createScanner(
  text: string,
  rules: LexicalRules,
  part: { readonly from: number; readonly to: number } = { from: 0, to: text.length },
): Scanner {
  const classes = classesOf(rules);
  const limit = part.to;
  const hasPrefixes = rules.prefixed !== undefined;
  let isFirst = true;

  function next(): number {
    let position = scanner.position;
    let isLineStart = isFirst;
    isFirst = false;
    while (position < limit) {
      const code = text.charCodeAt(position);
      const kind = code < 128 ? classes[code] : isWideSpace(code) ? SPACE : LETTER;
      if (kind === SPACE) position++;
      else if (kind === NEWLINE) {
        position++;
        isLineStart = true;
        scanner.lineStart = position;
      } else if (kind === SPECIAL) {
        scanner.position = position;
        scanner.isLineStart = isLineStart;
        if (rules.special(scanner, code)) return scanner.kind;
        position = scanner.position;
        isLineStart = scanner.isLineStart;
      } else {
        scanner.isLineStart = isLineStart;
        if (kind === LETTER || kind === DIGIT) return takeName(position, kind === LETTER ? NAME : NUMBER);
        return setPunctuation(scanner, position, code);
      }
    }
    scanner.position = limit;
    return setToken(scanner, END, limit, limit);
  }

  function takeName(start: number, kind: number): number {
    let end = start + 1;
    let code = 0;
    for (; end < limit; end++) {
      code = text.charCodeAt(end);
      if (code < 128 ? (classes[code] ?? 0) < LETTER || classes[code] === SPECIAL : isWideSpace(code)) break;
    }
    setToken(scanner, kind, start, end);
    if (hasPrefixes && kind === NAME && end < limit) {
      if (
        (code === QUOTE || code === APOSTROPHE || code === HASH) &&
        end - start < 4 &&
        rules.prefixed?.(scanner) === true
      ) {
        return scanner.kind;
      }
    }
    return kind;
  }

  const scanner: Scanner = {
    text,
    limit,
    kind: END,
    start: part.from,
    end: part.from,
    code: 0,
    valueStart: 0,
    valueEnd: 0,
    isLineStart: true,
    lineStart: part.from,
    position: part.from,
    next,
  };
  return scanner;
}

/** Spaces outside ASCII, the byte-order mark and line separators. */
function isWideSpace(code: number): boolean {
  return (
    code === 0xa0 || code === 0xfeff || code === 0x3000 || (code > 0x1fff && code < 0x2030) || code === 0x85
  );
}

export function setToken(scanner: Scanner, kind: number, start: number, end: number): number {
  scanner.kind = kind;
  scanner.start = start;
  scanner.end = end;
  scanner.code = 0;
  scanner.position = end;
  return kind;
}

export function setPunctuation(scanner: Scanner, at: number, code: number): number {
  setToken(scanner, PUNCTUATION, at, at + 1);
  scanner.code = code;
  return PUNCTUATION;
}

export function setString(
  scanner: Scanner,
  start: number,
  valueStart: number,
  valueEnd: number,
  end: number,
): true {
  setToken(scanner, STRING, start, Math.min(end, scanner.limit));
  scanner.valueStart = valueStart;
  scanner.valueEnd = Math.min(valueEnd, scanner.limit);
  return true;
}

/** Skips to the end of the line, and returns false. */
export function skipLine(scanner: Scanner): false {
  const end = scanner.text.indexOf("\n", scanner.position);
  scanner.position = end === -1 || end > scanner.limit ? scanner.limit : end;
  return false;
}

/** Skips a block comment as in C, and returns false. */
export function skipBlock(scanner: Scanner): false {
  const end = scanner.text.indexOf("*/", scanner.position + 2);
  scanner.position = end === -1 || end > scanner.limit ? scanner.limit : end + 2;
  return false;
}

/** Skips a block comment that may contain others, and returns false. */
export function skipNestedBlock(scanner: Scanner): false {
  const { text, limit } = scanner;
  let position = scanner.position + 2;
  for (let depth = 1; depth > 0 && position < limit;) {
    const code = text.charCodeAt(position);
    const after = text.charCodeAt(position + 1);
    if (code === STAR && after === SLASH) depth--;
    else if (code === SLASH && after === STAR) depth++;
    else {
      position++;
      continue;
    }
    position += 2;
  }
  scanner.position = Math.min(position, limit);
  return false;
}

/** Takes a string up to the same quote. Without one, it ends with the line, or with the text if `isMultiline`. */
export function takeQuoted(scanner: Scanner, quoteAt: number, isMultiline = false): true {
  const { text, limit, position: start } = scanner;
  const quote = text.charCodeAt(quoteAt);
  let end = quoteAt + 1;
  for (; end < limit; end++) {
    const code = text.charCodeAt(end);
    if (code === quote) return setString(scanner, start, quoteAt + 1, end, end + 1);
    if (code === BACKSLASH) end++;
    else if (code === LF && !isMultiline) break;
  }
  return setString(scanner, start, quoteAt + 1, Math.min(end, limit), Math.min(end, limit));
}

/** Takes everything up to and with `closing`, or to the end of the text. */
export function takeUntil(scanner: Scanner, valueStart: number, closing: string): true {
  const found = scanner.text.indexOf(closing, valueStart);
  const end = found === -1 || found > scanner.limit ? scanner.limit : found;
  return setString(scanner, scanner.position, valueStart, end, end + closing.length);
}

/** The text of the current token. */
export function tokenText({ text, start, end }: Scanner): string {
  return text.slice(start, end);
}

/** The content of the current string. */
export function stringValue({ text, valueStart, valueEnd }: Scanner): string {
  return text.slice(valueStart, valueEnd);
}

export function isWord(scanner: Scanner, word: string): boolean {
  return (
    scanner.kind === NAME &&
    scanner.end - scanner.start === word.length &&
    scanner.text.startsWith(word, scanner.start)
  );
}

/** The next character that isn't a space or a line break; 0 at the end. Looks no further than a few lines. */
export function peekCode({ text, limit }: Scanner, from: number): number {
  for (let position = from; position < Math.min(limit, from + 200); position++) {
    const code = text.charCodeAt(position);
    if (code > 32) return code;
  }
  return 0;
}
