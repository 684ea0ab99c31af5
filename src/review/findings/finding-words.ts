/**
 * Recognizes that two findings about the same lines mean the same problem. One model names the cause, the next one the consequence or the
 * fix, often without a common word. So words also count for the kinds of defects that they are typical of.
 */
import { FILLERS, KINDS, SYNONYMS } from "./defect-vocabulary.ts";

/** More words add nothing to the meaning. */
const MAX_WORDS = 60;
const MAX_KINDS = 8;

/** A long text names its problem early. */
const MAX_CHARS = 4000;

/** How many words apart the two words of a pair may be. */
const PAIR_REACH = 5;

/** Weights of words. Those of the code are in every finding about these lines, so they hardly tell findings apart. */
const OF_TITLE = 1.5;
const OF_CODE = 0.25;
const OF_HALF_PAIR = 0.6;

/** From this overlap on, two findings about the same lines mean the same. */
export const SAME_MEANING = 0.145;

type Kinds = ReadonlyMap<string, ReadonlySet<string>>;

const synonyms = new Map<string, string>();
let vocabulary: ReturnType<typeof readVocabulary> | null = null;

/**
 * The words of a finding that tell its meaning, without endings: `word^` is in the title, `~word` in the code. The kinds of defects that
 * they point to come first, as `kind#strength`. The lists of several findings can be joined.
 */
export function findingWords(
  { title, body }: { readonly title: string; readonly body: string },
  code: readonly string[],
): readonly string[] {
  const { fillers, typical } = (vocabulary ??= readVocabulary());
  const ofCode = new Set(wordsIn(code.join("\n")));
  const kinds = new Map<string, number>();
  const words = new Map<string, string>();
  for (const [text, mark, weight] of [[title, "^", OF_TITLE] as const, [body, "", 1] as const]) {
    const found = wordsIn(text);
    const terms = found.flatMap((word, index) => [
      word,
      ...found.slice(index + 1, index + 1 + PAIR_REACH).map((next) => pairOf(word, next)),
    ]);
    for (const term of new Set(terms)) {
      const pointedTo = typical.get(term) ?? new Set();
      for (const kind of pointedTo) kinds.set(kind, (kinds.get(kind) ?? 0) + weight / pointedTo.size);
    }
    for (const word of found)
      if (word.length > 1 && !fillers.has(word) && !words.has(word))
        words.set(word, `${ofCode.has(word) ? "~" : ""}${word}${mark}`);
  }
  const strongest = [...kinds].sort(([, a], [, b]) => b - a).slice(0, MAX_KINDS);
  const named = strongest.map(([kind, strength]) => `${kind}#${strength.toFixed(1)}`);
  return [...named, ...words.values()].slice(0, MAX_WORDS);
}

/**
 * 0 to 1: how likely two findings about the same lines mean the same problem. Common words and common kinds raise it. The more clearly
 * both point to kinds, the more it counts against them if these differ.
 */
export function meaningOverlap(a: readonly string[], b: readonly string[]): number {
  const { possible } = (vocabulary ??= readVocabulary());
  const [left, right] = [weigh(a, possible), weigh(b, possible)];
  let [common, product] = [0, 0];
  for (const [word, weight] of left.words) common += Math.sqrt(weight * (right.words.get(word) ?? 0));
  for (const [kind, strength] of left.kinds) product += strength * (right.kinds.get(kind) ?? 0);
  const agreement = product === 0 ? 0 : product / (left.clarity * right.clarity);
  const conflict = Math.sqrt(left.clarity * right.clarity) * (1 - agreement);
  const words = common / (Math.sqrt(left.size * right.size) + 2);
  return Math.min(1, Math.max(0, 0.45 * words + 0.55 * agreement - 0.06 * conflict));
}

function weigh(list: readonly string[], possible: Kinds) {
  const words = new Map<string, number>();
  const kinds = new Map<string, number>();
  for (const each of list) {
    const [kind = "", strength] = each.split("#");
    if (strength !== undefined) {
      kinds.set(kind, Math.max(kinds.get(kind) ?? 0, Number(strength)));
      continue;
    }
    const word = each.replace(/^~|\^$/g, "");
    const weight = each.startsWith("~") ? OF_CODE : each.endsWith("^") ? OF_TITLE : 1;
    words.set(word, Math.max(words.get(word) ?? 0, weight));
  }
  for (const [word, weight] of words) {
    const pointedTo = possible.get(word) ?? new Set();
    for (const kind of pointedTo)
      kinds.set(kind, (kinds.get(kind) ?? 0) + (OF_HALF_PAIR * weight) / Math.sqrt(pointedTo.size));
  }
  const size = [...words.values()].reduce((sum, weight) => sum + weight, 0);
  return { words, kinds, size, clarity: Math.hypot(...kinds.values()) };
}

/** `typical`: the kinds that a word or pair is typical of. `possible`: the kinds of pairs that a word is half of. */
function readVocabulary() {
  for (const group of SYNONYMS.split(",")) {
    const [first = "", ...others] = group.trim().split(/\s+/).map(stemOf);
    for (const other of others) synonyms.set(other, first);
  }
  const [typical, possible] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  const put = (to: Map<string, Set<string>>, term: string, kind: string): void => {
    to.set(term, (to.get(term) ?? new Set()).add(kind));
  };
  for (const entry of KINDS.trim().split(/\n|; /)) {
    const [kind = "", terms = ""] = entry.split(": ");
    for (const term of terms.split(" ")) {
      const [first = "", ...partners] = term.split(/[+,]/).map(baseOf);
      if (partners.length === 0) put(typical, first, kind);
      else for (const half of [first, ...partners]) put(possible, half, kind);
      for (const partner of partners) put(typical, pairOf(first, partner), kind);
    }
  }
  return { fillers: new Set(FILLERS.trim().split(/\s+/).map(baseOf)), typical, possible };
}

function pairOf(a: string, b: string): string {
  return a < b ? `${a}+${b}` : `${b}+${a}`;
}

/** In the order of the text. `unclosed` also gives "not" and "close", `readFile` also "read" and "file". */
function wordsIn(text: string): readonly string[] {
  const found = text.slice(0, MAX_CHARS).match(/[\p{L}\p{N}_]+(?:['’][st]\b)?|[=<>|&?!]{2,}/gu) ?? [];
  return found.flatMap((raw) => {
    const word = raw.replace(/['’]s$/, "").replace(/^(any|every|some|no)(?:one|body)$/i, "$1");
    if (/n['’]t$/.test(word)) return ["not"];
    const [, negated] = /^un(\p{L}{3,40}ed)$/iu.exec(word) ?? [];
    const parts = word.split(/_+|(?<=\p{Ll})(?=\p{Lu})/u);
    const inside = parts.length === 1 ? [] : parts.filter((part) => part.length > 2);
    return [...(negated === undefined ? [] : ["not", negated]), word, ...inside].map(baseOf);
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
