/** Ranks files by the words of the change: BM25 of its identifiers, in whole numbers. */
import { hashWord } from "../../../languages/file-facts.ts";
import { integerSquareRoot, log2Fixed } from "./integer-math.ts";
import type { RankGround, Scores } from "./rank-input.ts";
import type { ChangeWord } from "./words-of-change.ts";

/** A word in more than one of this many files says nothing about any of them. */
const COMMON_ONE_IN = 4;

/** A word that the change repeats counts up to three times as much as one that it has once, and more if several files gain or lose it. */
const MAX_WEIGHT = 3;

/** 1.0 in weights and frequencies. */
export const WEIGHT_ONE = 2 ** 10;

/** Candidates have a thousand times more words than the change, so one table look-up has to reject most of them. */
const FILTER_BITS = 16;

type WordGround = Pick<RankGround, "paths" | "facts" | "words">;

/** How much each word of the change says about a file that has it; without words that are everywhere. */
export function weighWords(ground: WordGround): ReadonlyMap<string, number> {
  const { query } = weighQuery(ground);
  const weighed = [...ground.words.keys()].map(
    (word) => [word, query.find(hashWord(word))?.weight ?? 0] as const,
  );
  return new Map(weighed.filter(([, weight]) => weight > 0));
}

function weighQuery({ paths, facts, words }: WordGround) {
  const query = createQuery(words);
  const files = paths.map((path) => facts.get(path)?.words ?? null);
  let total = 0;
  for (const file of files) {
    if (file === null) continue;
    total += file.total;
    // Indexed loops, because iterators take three times as long over millions of words.
    for (let index = 0; index < file.hashes.length; index++) {
      const term = query.find(file.hashes[index] ?? 0);
      if (term !== undefined) term.files++;
    }
  }
  for (const term of query.terms) term.weight *= rarity(term.files, paths.length);
  return { query, files, total };
}

export function scoreWords(ground: WordGround): Scores {
  const { paths } = ground;
  const scores = new Float64Array(paths.length);
  const { query, files, total } = weighQuery(ground);
  const average = Math.max(1, Math.floor(total / Math.max(1, paths.length)));
  for (const [number, file] of files.entries()) {
    if (file === null) continue;
    let score = 0;
    for (let index = 0; index < file.hashes.length; index++) {
      const term = query.find(file.hashes[index] ?? 0);
      if (term !== undefined) score += term.weight * saturate(file.counts[index] ?? 0, file.total, average);
    }
    scores[number] = score;
  }
  return scores;
}

/** A word of the change; two that share a hash are one. */
type Term = { weight: number; files: number };

type Query = {
  readonly terms: Iterable<Term>;
  find(hash: number): Term | undefined;
};

function createQuery(words: RankGround["words"]): Query {
  const terms = new Map<number, Term>();
  const filter = new Uint8Array(2 ** FILTER_BITS);
  for (const [word, use] of words) {
    const hash = hashWord(word);
    const weight = weightOf(use);
    terms.set(hash, { weight: weight + (terms.get(hash)?.weight ?? 0), files: 0 });
    filter[hash >>> (32 - FILTER_BITS)] = 1;
  }
  return {
    terms: terms.values().toArray(),
    find: (hash) => (filter[hash >>> (32 - FILTER_BITS)] === 1 ? terms.get(hash) : undefined),
  };
}

function weightOf({ count, files }: ChangeWord): number {
  const repeated = Math.min(MAX_WEIGHT * WEIGHT_ONE, integerSquareRoot(count * WEIGHT_ONE * WEIGHT_ONE));
  return files < 2 ? repeated : repeated + integerSquareRoot(files * WEIGHT_ONE * WEIGHT_ONE);
}

/** BM25's inverse document frequency, log2((all + 1) / (files + 1/2)); 0 for a word that is everywhere. */
export function rarity(files: number, all: number): number {
  return files * COMMON_ONE_IN > all ? 0 : log2Fixed(2 * all + 2) - log2Fixed(2 * files + 1);
}

/** BM25's term frequency with k = 1.2 and b = 0.75: at most 2.2, and less in a file that is longer than the average. */
export function saturate(count: number, length: number, average: number): number {
  return Math.floor((WEIGHT_ONE * 22 * count * average) / ((10 * count + 3) * average + 9 * length));
}
