/**
 * Ranks files by likeness: how many of the words that mark a changed file they have, too. So siblings are near each other whatever connects
 * them: drivers of several databases, tests of one kind, the next handler in another folder.
 */
import { isProgramming, languageOf } from "../../../languages/language-of.ts";
import { integerSquareRoot, LOG2_ONE } from "./integer-math.ts";
import type { RankGround, Scores } from "./rank-input.ts";
import { WEIGHT_ONE, rarity, saturate } from "./rank-words.ts";

/** A larger change is everywhere. A part of its files, evenly spread, keeps the time in bounds. */
const MAX_CHANGED = 16;

/** The words of a file that say most about it: its rare ones, and those that it repeats. */
const MAX_MARKS = 80;

/** A word that the file repeats counts up to twice as much. */
const MAX_REPEATED = 2;

/** Fewer words than about three rare ones are no likeness. */
const MIN_TOTAL = 25 * LOG2_ONE * WEIGHT_ONE;

/** Keeps the fraction of a share; the largest sum stays a whole number. */
const SHARE = 64;

/** Candidates have many more words than a changed file, so one table look-up has to reject most of them. */
const FILTER_BITS = 16;

/** How much a word says about the changed files that it marks, by their numbers. */
type Mark = { files: number; readonly weights: { readonly changed: number; readonly weight: number }[] };

export function scoreLikeness({ paths, facts, changedPaths }: RankGround): Scores {
  const scores = new Float64Array(paths.length);
  const known = changedPaths.filter((path) => isProgramming(languageOf(path)) && facts.has(path));
  const step = Math.max(1, Math.ceil(known.length / MAX_CHANGED));
  const changed = known.flatMap((path, index) => (index % step === 0 ? (facts.get(path)?.words ?? []) : []));
  if (changed.length === 0) return scores;
  const marks = new Map<number, Mark>();
  const filter = new Uint8Array(2 ** FILTER_BITS);
  for (const { hashes } of changed) {
    for (const hash of hashes) {
      marks.set(hash, { files: 0, weights: [] });
      filter[hash >>> (32 - FILTER_BITS)] = 1;
    }
  }
  const find = (hash: number): Mark | undefined =>
    filter[hash >>> (32 - FILTER_BITS)] === 1 ? marks.get(hash) : undefined;
  const words = paths.map((path) => facts.get(path)?.words ?? null);
  let total = 0;
  for (const file of words) {
    if (file === null) continue;
    total += file.total;
    for (let index = 0; index < file.hashes.length; index++) {
      const mark = find(file.hashes[index] ?? 0);
      if (mark !== undefined) mark.files++;
    }
  }
  const totals = changed.map((file, number) =>
    Math.max(MIN_TOTAL, chooseMarks(file, { number, marks, fileCount: paths.length })),
  );
  for (const [hash, { weights }] of marks) if (weights.length === 0) marks.delete(hash);
  const average = Math.max(1, Math.floor(total / Math.max(1, paths.length)));
  const shared = new Float64Array(changed.length);
  for (const [number, file] of words.entries()) {
    if (file === null) continue;
    shared.fill(0);
    for (let index = 0; index < file.hashes.length; index++) {
      const mark = find(file.hashes[index] ?? 0);
      if (mark === undefined) continue;
      const often = saturate(file.counts[index] ?? 0, file.total, average);
      for (const { changed: at, weight } of mark.weights) shared[at] = (shared[at] ?? 0) + weight * often;
    }
    scores[number] = shared.reduce(
      (sum, amount, at) => sum + Math.floor((amount * SHARE) / (totals[at] ?? 1)),
      0,
    );
  }
  return scores;
}

type Marks = {
  readonly number: number;
  readonly marks: ReadonlyMap<number, Mark>;
  readonly fileCount: number;
};

/** Adds the weights of a changed file to its marks, and returns their sum. */
function chooseMarks(
  { hashes, counts }: { readonly hashes: Uint32Array; readonly counts: Uint16Array },
  { number, marks, fileCount }: Marks,
): number {
  const weighed: { readonly mark: Mark; readonly weight: number }[] = [];
  for (const [index, hash] of hashes.entries()) {
    const mark = marks.get(hash);
    if (mark === undefined || mark.files === 0) continue;
    const repeated = Math.min(
      MAX_REPEATED * WEIGHT_ONE,
      integerSquareRoot((counts[index] ?? 0) * WEIGHT_ONE * WEIGHT_ONE),
    );
    const weight = rarity(mark.files, fileCount) * repeated;
    if (weight > 0) weighed.push({ mark, weight });
  }
  // Hashes are ascending, so equal weights are always in the same order.
  const chosen = weighed.toSorted((one, other) => other.weight - one.weight).slice(0, MAX_MARKS);
  for (const { mark, weight } of chosen) mark.weights.push({ changed: number, weight });
  return chosen.reduce((sum, { weight }) => sum + weight, 0);
}
