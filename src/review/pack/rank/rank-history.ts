/** Ranks files by history: how often they changed together with a changed file, relative to how often both changed. */
import { integerSquareRoot, LOG2_ONE, log2Fixed } from "./integer-math.ts";
import type { RankGround, Scores } from "./rank-input.ts";

/** Older commits are about other code. */
const MAX_CO_CHANGES = 5_000;

/** A commit of more files is a move or a new format, and connects files that have nothing in common. */
const MAX_FILES = 30;

/** 1.0 in weights and square roots. */
const ONE = 2 ** 10;

export function scoreHistory({ numbers, coChanges, changedPaths }: RankGround): Scores {
  const scores = new Float64Array(numbers.size);
  const commits = coChanges
    .slice(0, MAX_CO_CHANGES)
    .filter(({ length }) => length >= 2 && length <= MAX_FILES);
  const counts = new Float64Array(numbers.size);
  const byChanged = new Map<string, (readonly string[])[]>(changedPaths.map((path) => [path, []]));
  for (const commit of commits) {
    for (const path of commit) {
      const number = numbers.get(path);
      if (number !== undefined) counts[number] = (counts[number] ?? 0) + 1;
      byChanged.get(path)?.push(commit);
    }
  }
  const together = new Float64Array(numbers.size);
  for (const shared of byChanged.values()) {
    for (const number of addTogether(shared, numbers, together)) {
      const both = integerSquareRoot((counts[number] ?? 1) * shared.length * ONE * ONE);
      scores[number] = (scores[number] ?? 0) + Math.floor(((together[number] ?? 0) * ONE) / both);
      together[number] = 0;
    }
  }
  return scores;
}

/** Adds the weight of the commits to each of their files, and returns those files. */
function addTogether(
  commits: readonly (readonly string[])[],
  numbers: RankGround["numbers"],
  together: Float64Array,
): ReadonlySet<number> {
  const touched = new Set<number>();
  for (const commit of commits) {
    const weight = weightOf(commit.length);
    for (const path of commit) {
      const number = numbers.get(path);
      if (number === undefined) continue;
      together[number] = (together[number] ?? 0) + weight;
      touched.add(number);
    }
  }
  return touched;
}

/** 1 / log2(files + 1): the fewer files a commit has, the more they have in common. */
function weightOf(files: number): number {
  return Math.floor((ONE * ONE * LOG2_ONE) / log2Fixed(files + 1));
}
