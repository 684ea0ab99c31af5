/** Reads the keyword that a command starts with, and the number of a finding after it. Pure. */
import type { Words } from "../command-spec.ts";

/** These continue a word: "reviewers", "review-bot", "fix's", and letters with accents or invisible characters after them. */
const CONTINUES_WORD = /^[\p{L}\p{M}\p{N}\p{Cf}_'’-]/u;

/** Between the keyword and the rest: "dismiss: reason", "dismiss, reason", "dismiss - reason". */
const SEPARATOR = /^\s*[:,]?\s*(?:[-–—]\s+)?/;

/** Before these, the keyword is a noun: "fix is wrong" asks for nothing. */
const STATEMENT =
  /^(?:is|isn['’]t|was|wasn['’]t|does|doesn['’]t|did|didn['’]t|has|hasn['’]t|had|looks|seems|works|worked|breaks|broke|fails|failed|will|won['’]t|would|wouldn['’]t|should|shouldn['’]t|could|couldn['’]t|can|can['’]t|might|may)(?![\w'’-])/i;

/** Returns the words after the keyword; null if they start with another word. The pattern must start with `^`. */
export function afterKeyword({ line, text }: Words, keyword: RegExp): Words | null {
  const length = keyword.exec(line)?.[0].length;
  if (length === undefined || CONTINUES_WORD.test(line.slice(length, length + 2))) return null;
  const rest = line.slice(length);
  const separator = SEPARATOR.exec(rest)?.[0].length ?? 0;
  return { line: rest.slice(separator), text: text.slice(length + separator).trimStart() };
}

/** Like `afterKeyword`, but null for a sentence about the keyword, such as "fix is wrong". A colon makes it a command. */
export function afterVerb(words: Words, keyword: RegExp): Words | null {
  const rest = afterKeyword(words, keyword);
  return rest === null || (STATEMENT.test(rest.line) && !hasColon(words, keyword)) ? null : rest;
}

/** For commands that change something: "pause?" asks. A colon makes it a command. */
export function isQuestion(words: Words, keyword: RegExp): boolean {
  return /[?？]$/.test(words.line) && !hasColon(words, keyword);
}

function hasColon({ line }: Words, keyword: RegExp): boolean {
  const length = keyword.exec(line)?.[0].length ?? 0;
  return /^\s*:/.test(line.slice(length));
}

/** At most six digits: no pull request has more findings. */
const NUMBER = /^#?([1-9]\d{0,5})(?![\w'’-]|\.\d)/;

/** After a number, these make it a list ("3 and 4"), which names no single finding. */
const MORE_NUMBERS = /^\s*(?:,|and|&|\+)?\s*#?\d/i;

export type NumberedWords = { readonly finding: number | null; readonly rest: Words };

/** Takes the number of a finding, with or without a hash, off the words. */
export function takeNumber(words: Words): NumberedWords {
  const match = NUMBER.exec(words.line);
  const none = { finding: null, rest: words };
  if (match === null || MORE_NUMBERS.test(words.line.slice(match[0].length))) return none;
  const rest = afterKeyword(words, NUMBER);
  return rest === null ? none : { finding: Number(match[1]), rest };
}

/** True when the line says no more than the keyword did, such as "this, please". */
export function isFiller(line: string): boolean {
  return /^(?:(?:this|that|it)(?:\s+(?:one|finding|issue|problem|thread))?)?(?:,?\s*(?:now|please))*\s*[.!]*$/i.test(
    line,
  );
}
