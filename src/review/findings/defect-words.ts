/**
 * The words of texts about code, without endings and with one word for each group of synonyms, and the kinds of defects that they are
 * typical of.
 */
import lists from "./defect-vocabulary.json" with { type: "json" };

/** A long text names its problem early. */
const MAX_CHARS = 4000;

/** How many words apart the two words of a pair may be. */
const PAIR_REACH = 5;

const synonyms = new Map<string, string>();
let vocabulary: ReturnType<typeof readVocabulary> | null = null;

/** The kinds of defects that words in the order of a text point to, with the strength of each. */
export function kindsIn(words: readonly string[]): ReadonlyMap<string, number> {
  const { typical } = defectWords();
  const kinds = new Map<string, number>();
  const terms = words.flatMap((word, index) => [
    word,
    ...words.slice(index + 1, index + 1 + PAIR_REACH).map((next) => pairOf(word, next)),
  ]);
  for (const term of new Set(terms)) {
    const pointedTo = typical.get(term) ?? new Set();
    for (const kind of pointedTo) kinds.set(kind, (kinds.get(kind) ?? 0) + 1 / pointedTo.size);
  }
  return kinds;
}

export function defectWords(): ReturnType<typeof readVocabulary> {
  return (vocabulary ??= readVocabulary());
}

/** `typical`: the kinds that a word or pair is typical of. `possible`: the kinds of pairs that a word is half of. */
function readVocabulary() {
  for (const group of lists.synonyms) {
    const [first = "", ...others] = group.split(" ").map(stemOf);
    for (const other of others) synonyms.set(other, first);
  }
  const [typical, possible] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  const put = (to: Map<string, Set<string>>, term: string, kind: string): void => {
    to.set(term, (to.get(term) ?? new Set()).add(kind));
  };
  for (const [kind, terms] of Object.entries(lists.kinds)) {
    for (const term of terms.split(" ")) {
      const [first = "", ...partners] = term.split(/[+,]/).map(baseOf);
      if (partners.length === 0) put(typical, first, kind);
      else for (const half of [first, ...partners]) put(possible, half, kind);
      for (const partner of partners) put(typical, pairOf(first, partner), kind);
    }
  }
  const fillers = new Set(lists.fillers.flatMap((line) => line.split(" ")).map(baseOf));
  return { fillers, typical, possible };
}

function pairOf(a: string, b: string): string {
  return a < b ? `${a}+${b}` : `${b}+${a}`;
}

/** The words of `stemsIn`, with the same word for synonyms. */
export function wordsIn(text: string): readonly string[] {
  defectWords();
  return stemsIn(text).map((stem) => synonyms.get(stem) ?? stem);
}

/** In the order of the text, without endings. `unclosed` also gives "not" and "close", `readFile` also "read" and "file". */
export function stemsIn(text: string): readonly string[] {
  const found = text.slice(0, MAX_CHARS).match(/[\p{L}\p{N}_]+(?:['’][st]\b)?|[=<>|&?!]{2,}/gu) ?? [];
  return found.flatMap((raw) => {
    const word = raw.replace(/['’]s$/, "").replace(/^(any|every|some|no)(?:one|body)$/i, "$1");
    if (/n['’]t$/.test(word)) return ["not"];
    const [, negated] = /^un(\p{L}{3,40}ed)$/iu.exec(word) ?? [];
    const parts = word.split(/_+|(?<=\p{Ll})(?=\p{Lu})/u);
    const inside = parts.length === 1 ? [] : parts.filter((part) => part.length > 2);
    return [...(negated === undefined ? [] : ["not", negated]), word, ...inside].map(stemOf);
  });
}

function baseOf(word: string): string {
  const stem = stemOf(word);
  return synonyms.get(stem) ?? stem;
}

const ENDING =
  /^(.{3,40}?)(?:ing|ed|ly|al|(?<=.{4})(?:i[sz](?:ation|e[dr]?|ing)|ion|ment|ness|[ai]bl[ey]|[ae]nce|ive|ally|ity))$/;

function stemOf(word: string): string {
  const lower = word.toLowerCase();
  if (lower.length < 4) return lower;
  const singular = lower.replace(/ies$/, "y").replace(/(?<=[a-z]{2}[^suia])s$/, "");
  const root = singular.replace(ENDING, "$1").replace(ENDING, "$1");
  return root
    .replace(/(?<=...)[eyi]$/, "")
    .replace(/(?<=..)([b-df-hj-np-tv-z])\1$/, "$1")
    .slice(0, 10);
}
