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

/** "1 and 2", "1, 3-5", "#1 & #2". */
const NUMBER_LIST =
  /^#?[1-9]\d{0,5}(?:\s{0,3}(?:-|–|to|through|,?\s{1,3}and|,|&|\+)\s{0,3}#?[1-9]\d{0,5}){1,30}(?![\w'’-]|\.\d)/i;

const RANGE = /#?(?<from>\d{1,6})(?:\s{0,3}(?:-|–|to|through)\s{0,3}#?(?<to>\d{1,6}))?/gi;

/** More can't be fixed at once. */
const MAX_LISTED_NUMBERS = 50;

export type ListedWords = { readonly findings: readonly number[]; readonly rest: Words };

/** Takes a list of at least two numbers off the words, each once and rising. Null if there is none, or if it names too many. */
export function takeNumbers(words: Words): ListedWords | null {
  const list = NUMBER_LIST.exec(words.line)?.[0];
  const rest = list === undefined ? null : afterKeyword(words, NUMBER_LIST);
  if (list === undefined || rest === null) return null;
  const numbers = new Set<number>();
  for (const { groups } of list.matchAll(RANGE)) {
    const from = Number(groups?.["from"]);
    const to = Number(groups?.["to"] ?? from);
    if (to < from || to - from >= MAX_LISTED_NUMBERS) return null;
    for (let number = from; number <= to; number++) numbers.add(number);
  }
  if (numbers.size > MAX_LISTED_NUMBERS) return null;
  return { findings: [...numbers].toSorted((a, b) => a - b), rest };
}

/** True when the line says no more than the keyword did, such as "this, please". */
export function isFiller(line: string): boolean {
  return /^(?:(?:this|that|it)(?:\s+(?:one|finding|issue|problem|thread))?)?(?:,?\s*(?:now|please))*\s*[.!]*$/i.test(
    line,
  );
}
