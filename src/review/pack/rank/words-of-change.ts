/** The identifiers on added and removed lines: the words that the words ranker searches for. */
import type { ChangedFile } from "../../change/change.ts";

/** How often each identifier is on an added or removed line. */
export type ChangeWords = ReadonlyMap<string, number>;

/** Shorter names are keywords and loop variables. */
const MIN_WORD_CHARS = 4;

/** The same characters as in the words of a file's facts. A word that starts with a digit is none. */
const WORD = /[\w\u0080-\uffff]+/g;
const STARTS_WITH_DIGIT = /^\d/;

export function wordsOfChange(files: readonly ChangedFile[]): ChangeWords {
  const words = new Map<string, number>();
  for (const { hunks } of files) {
    for (const { lines } of hunks) {
      for (const line of lines) {
        if (line.startsWith(" ")) continue;
        for (const word of line.match(WORD) ?? []) {
          if (word.length < MIN_WORD_CHARS || STARTS_WITH_DIGIT.test(word)) continue;
          words.set(word, (words.get(word) ?? 0) + 1);
        }
      }
    }
  }
  return words;
}
