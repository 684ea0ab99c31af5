/** The identifiers on added and removed lines: the words that the words ranker searches for. */
import { isProgramming, languageOf } from "../../../languages/language-of.ts";
import type { ChangedFile } from "../../change/change.ts";

export type ChangeWords = ReadonlyMap<string, ChangeWord>;

export type ChangeWord = {
  /** How often it is on an added or removed line. */
  readonly count: number;
  /** Files of code that have it more or less often after the change. A word of several is what the change is about. */
  readonly files: number;
};

/** Shorter names are keywords and loop variables. */
const MIN_WORD_CHARS = 4;

/** The same characters as in the words of a file's facts. A word that starts with a digit is none. */
const WORD = /[\w\u0080-\uffff]+/g;
const STARTS_WITH_DIGIT = /^\d/;

export function wordsOfChange(files: readonly ChangedFile[]): ChangeWords {
  const words = new Map<string, ChangeWord>();
  for (const file of files) {
    const isCode = isProgramming(languageOf(file.path));
    for (const [word, { added, removed }] of wordsOfFile(file)) {
      const { count, files: others } = words.get(word) ?? { count: 0, files: 0 };
      const isOther = isCode && added !== removed;
      words.set(word, { count: count + added + removed, files: others + (isOther ? 1 : 0) });
    }
  }
  return words;
}

type LineCounts = { added: number; removed: number };

function wordsOfFile({ hunks }: ChangedFile): ReadonlyMap<string, LineCounts> {
  const words = new Map<string, LineCounts>();
  for (const { lines } of hunks) {
    for (const line of lines) {
      if (line.startsWith(" ")) continue;
      const side = line.startsWith("+") ? "added" : "removed";
      for (const word of line.match(WORD) ?? []) {
        if (word.length < MIN_WORD_CHARS || STARTS_WITH_DIGIT.test(word)) continue;
        const counts = words.get(word) ?? { added: 0, removed: 0 };
        counts[side]++;
        words.set(word, counts);
      }
    }
  }
  return words;
}
