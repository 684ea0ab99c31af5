/**
 * Recognizes that two findings about the same lines mean the same problem. One model names the cause, the next one the consequence or the
 * fix, often without a common word. So words also count for the kinds of defects that they are typical of.
 */
import { defectWords, kindsIn, wordsIn } from "./defect-words.ts";

/** More words add nothing to the meaning. */
const MAX_WORDS = 60;
const MAX_KINDS = 8;

/** Weights of words, and of words that are half of a pair which is typical of a kind of defect. */
const OF_TITLE = 1.5;
const OF_HALF_PAIR = 0.3;

/** Common words count most. Kinds count less: different defects of one function are often of one kind. */
const OF_WORDS = 1;
const OF_AGREEMENT = 0.55;
const OF_CONFLICT = 0.03;

type Kinds = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The words of a finding that tell its meaning, without endings: `word^` is in the title. The kinds of defects that they point to come
 * first, as `kind#strength`. The lists of several findings can be joined.
 */
export function findingWords({
  title,
  body,
}: {
  readonly title: string;
  readonly body: string;
}): readonly string[] {
  const { fillers } = defectWords();
  const kinds = new Map<string, number>();
  const words = new Map<string, string>();
  for (const [text, mark, weight] of [[title, "^", OF_TITLE] as const, [body, "", 1] as const]) {
    const found = wordsIn(text);
    for (const [kind, strength] of kindsIn(found))
      kinds.set(kind, (kinds.get(kind) ?? 0) + strength * weight);
    for (const word of found)
      if (word.length > 1 && !fillers.has(word) && !words.has(word)) words.set(word, `${word}${mark}`);
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
  const { possible } = defectWords();
  const [left, right] = [weigh(a, possible), weigh(b, possible)];
  let [common, product] = [0, 0];
  for (const [word, weight] of left.words) common += Math.sqrt(weight * (right.words.get(word) ?? 0));
  for (const [kind, strength] of left.kinds) product += strength * (right.kinds.get(kind) ?? 0);
  const agreement = product === 0 ? 0 : product / (left.clarity * right.clarity);
  const conflict = Math.sqrt(left.clarity * right.clarity) * (1 - agreement);
  const words = common / (Math.sqrt(left.size * right.size) + 2);
  return Math.min(1, Math.max(0, OF_WORDS * words + OF_AGREEMENT * agreement - OF_CONFLICT * conflict));
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
    // Lists that older versions stored mark words of the code with "~".
    const word = each.replace(/^~|\^$/g, "");
    const weight = each.endsWith("^") ? OF_TITLE : 1;
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
