/**
 * How far a figure can move by chance: pull requests are drawn again with replacement, many times, and the figure is computed of each
 * draw. Findings of one pull request belong together, so they are never drawn apart. The draws are the same each time.
 */
import { createRandom } from "../../base/random.ts";

/** More rounds move the ends of an interval by less than anyone reads. */
const ROUNDS = 1_000;

/** 95 of 100 draws are within. */
const TAIL = 0.025;

const SEED = 0x6b6f6469;

/** With fewer pull requests, chance alone can make all of them agree, and an interval would promise too much. */
export const MIN_ROWS = 6;

/** One row per pull request: numbers that are added up. */
export type Rows = readonly (readonly number[])[];

/** The sums of the rows. */
export function sumRows(rows: Rows, width: number): readonly number[] {
  const sums = Array.from({ length: width }, () => 0);
  for (const row of rows) for (let at = 0; at < width; at++) sums[at] = (sums[at] ?? 0) + (row[at] ?? 0);
  return sums;
}

type Interval = { readonly low: number | null; readonly high: number | null };

/**
 * The interval of each figure that `figures` computes of sums; a draw in which one is null doesn't count for it. None for too few pull
 * requests.
 */
export function bootstrap(
  rows: Rows,
  width: number,
  figures: (sums: readonly number[]) => readonly (number | null)[],
): readonly Interval[] {
  if (rows.length < MIN_ROWS) return figures(sumRows(rows, width)).map(() => ({ low: null, high: null }));
  const random = createRandom(SEED);
  const drawn: number[][] = [];
  const sums = Array.from({ length: width }, () => 0);
  for (let round = 0; round < ROUNDS; round++) {
    sums.fill(0);
    for (let pick = 0; pick < rows.length; pick++) {
      const row = rows[Math.floor(random() * rows.length)] ?? [];
      for (let at = 0; at < width; at++) sums[at] = (sums[at] ?? 0) + (row[at] ?? 0);
    }
    for (const [at, value] of figures(sums).entries()) if (value !== null) (drawn[at] ??= []).push(value);
  }
  return figures(sumRows(rows, width)).map((_, at) => intervalOf(drawn[at] ?? []));
}

function intervalOf(values: readonly number[]): Interval {
  const sorted = Float64Array.from(values).sort();
  const last = sorted.length - 1;
  const low = sorted[Math.floor(last * TAIL)];
  const high = sorted[Math.ceil(last * (1 - TAIL))];
  return { low: low ?? null, high: high ?? null };
}
