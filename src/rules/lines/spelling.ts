/**
 * Finds the English word that a misspelled one stands for. It knows only the words in spelling-words.json, so a name, an
 * abbreviation or a rare word is never called wrong unless it's one slip from a long common word.
 */
import lists from "./spelling-words.json" with { type: "json" };

/** Shorter words have too many neighbors: only two swapped letters or a letter too many of the same kind count in them. */
const MIN_LONG_CHARS = 8;

const ENDINGS = ["s", "es", "d", "ed", "ing", "ly", "r", "er", "rs", "ers"];
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const VOWELS = ["a", "e", "i", "o", "u"];

type Dictionary = {
  readonly words: ReadonlySet<string>;
  readonly correct: ReadonlySet<string>;
  readonly pairs: ReadonlyMap<string, string>;
};

let remembered: Dictionary | null = null;

function dictionary(): Dictionary {
  if (remembered !== null) return remembered;
  const words = new Set(wordsOf(lists.words));
  const pairs = wordsOf(lists.pairs).map((pair) => pair.replaceAll("_", " ").split("="));
  remembered = {
    words,
    correct: new Set([...words, ...wordsOf(lists.neighbors)]),
    pairs: new Map(pairs.map(([wrong = "", right = ""]) => [wrong, right])),
  };
  return remembered;
}

const wordsOf = (lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(" "));

const GENITIVE = "'s";

/** Shorter words are only in the table of pairs. */
const MIN_CHARS = 6;

/** The correct spelling of a word in lower case; null when the word isn't known to be wrong. */
export function spellingOf(word: string): string | null {
  const { pairs, correct } = dictionary();
  const known = pairs.get(word);
  if (known !== undefined || word.length < MIN_CHARS) return known ?? null;
  if (word.endsWith(GENITIVE)) {
    const owner = spellingOf(word.slice(0, -GENITIVE.length));
    return owner === null ? null : owner + GENITIVE;
  }
  const forms: readonly Form[] = [
    { stem: word, ending: "", cut: "" },
    ...ENDINGS.flatMap((ending) => stemsOf(word, ending)),
  ];
  if (forms.some(({ stem }) => correct.has(stem)) || baseForms(word).some((base) => correct.has(base)))
    return null;
  for (const { stem, ending, cut } of forms) {
    const right = pairs.get(stem) ?? rightStem(stem);
    if (right === null) continue;
    const isAfterE = ending === "d" || ending === "r" || ending === "rs" || cut === "e";
    if (!isAfterE) return right + ending;
    if (right.endsWith("e")) return right.slice(0, right.length - cut.length) + ending;
  }
  return null;
}

/** `cut`: the letter that the stem loses before the ending. */
type Form = { readonly stem: string; readonly ending: string; readonly cut: "" | "e" };

function stemsOf(word: string, ending: string): readonly Form[] {
  if (!word.endsWith(ending)) return [];
  const stem = word.slice(0, -ending.length);
  return [
    { stem, ending, cut: "" },
    ...(ending === "ing" ? [{ stem: `${stem}e`, ending, cut: "e" as const }] : []),
  ];
}

const DERIVED =
  /^([a-z]+?)(?:ed|ing|er|ers|or|ors|able|al|ally|ion|ions|ment|ments|ive|ness|less|ful|able|ibility|ability|ance|ity)$/;
const FROM_Y = /^([a-z]+?)(?:ies|ied|ier|iers|iest|ily|iness)$/;

/** Words that a correct word may be derived from: "programming" from "program", "verifier" from "verify". */
function baseForms(word: string): readonly string[] {
  const stem = DERIVED.exec(word)?.[1];
  const beforeY = FROM_Y.exec(word)?.[1];
  const bases = beforeY === undefined ? [] : [`${beforeY}y`];
  if (stem === undefined) return bases;
  const isDoubled = stem.at(-1) === stem.at(-2);
  return [...bases, stem, `${stem}e`, ...(isDoubled ? [stem.slice(0, -1)] : [])];
}

function rightStem(stem: string): string | null {
  const { words } = dictionary();
  const longer = withOneMore(stem, words);
  // "transation" may be two words.
  if (longer.size > 0) return longer.size === 1 ? ([...longer][0] ?? null) : null;
  for (let at = 1; at < stem.length - 1; at++) {
    const found = slipsAt(stem, at).find((one) => words.has(one));
    if (found !== undefined) return found;
  }
  return null;
}

/** The long words that the stem is with one more letter inside. */
function withOneMore(stem: string, words: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  if (stem.length + 1 < MIN_LONG_CHARS) return found;
  for (let at = 1; at < stem.length; at++) {
    for (const letter of LETTERS) {
      const longer = stem.slice(0, at) + letter + stem.slice(at);
      if (words.has(longer)) found.add(longer);
    }
  }
  return found;
}

/** The words that a slip at one letter may stand for. */
function slipsAt(stem: string, at: number): readonly string[] {
  const letter = stem[at] ?? "";
  const next = stem[at + 1] ?? "";
  const swapped = `${stem.slice(0, at)}${next}${letter}${stem.slice(at + 2)}`;
  const dropped = without(stem, at);
  if (stem.length < MIN_LONG_CHARS)
    return letter === next || letter === stem[at - 1] ? [swapped, dropped] : [swapped];
  // The vowel before a last letter tells foreign forms apart, such as a plural.
  const vowels = VOWELS.includes(letter) && at < stem.length - 2 ? VOWELS : [];
  return [
    swapped,
    ...(dropped.length >= MIN_LONG_CHARS || letter === next || letter === stem[at - 1] ? [dropped] : []),
    ...vowels.map((vowel) => `${stem.slice(0, at)}${vowel}${stem.slice(at + 1)}`),
  ];
}

function without(word: string, at: number): string {
  return word.slice(0, at) + word.slice(at + 1);
}
