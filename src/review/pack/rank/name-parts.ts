/** A path as words, without the words that only mark a test: `tests/shop/test_carts.py` is about "shop" and "cart". */
import { wordsOf } from "../../analysis/words.ts";

export type NameParts = {
  readonly folder: string;
  /** How much each word counts: 1 in a folder, more in the name of the file. */
  readonly words: ReadonlyMap<string, number>;
  /** The words of the file's name as one text: equal for a test and its implementation, a header and its source. May be empty. */
  readonly stem: string;
};

/** A word in the name of the file counts as much as two in its folders. */
const FILE_WORD = 2;

const TEST_WORDS: ReadonlySet<string> = new Set(["test", "tests", "spec", "specs"]);

export function namePartsOf(path: string): NameParts {
  const slash = path.lastIndexOf("/");
  const folder = slash < 0 ? "" : path.slice(0, slash);
  const name = path.slice(slash + 1);
  const dot = name.lastIndexOf(".");
  const words = new Map<string, number>();
  for (const word of plainWords(folder)) words.set(word, 1);
  const fileWords = plainWords(dot > 0 ? name.slice(0, dot) : name);
  for (const word of fileWords) words.set(word, FILE_WORD);
  return { folder, words, stem: fileWords.join("-") };
}

function plainWords(text: string): readonly string[] {
  const words: string[] = [];
  for (const word of wordsOf(text)) {
    if (!TEST_WORDS.has(word)) words.push(singular(word));
  }
  return words;
}

/** Good enough to make "model" and "models" equal; it needn't be a word. */
function singular(word: string): string {
  return word.length > 3 && word.endsWith("s") ? word.slice(0, -1) : word;
}
