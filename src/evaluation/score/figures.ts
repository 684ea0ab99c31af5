/** Recall, precision and what is made of both, from counts. */
import { bootstrap, type Rows, sumRows } from "./bootstrap.ts";
import type { Estimate, Figures } from "./score.ts";

export type AnswerTally = Pick<Figures, "answers" | "found" | "shown" | "right">;

export const NO_TALLY: AnswerTally = { answers: 0, found: 0, shown: 0, right: 0 };

export const rowOf = ({ answers, found, shown, right }: AnswerTally): readonly number[] => [
  answers,
  found,
  shown,
  right,
];

/** Recall, precision, F1, F0.5. */
export function figuresOfSums([answers = 0, found = 0, shown = 0, right = 0]: readonly number[]): readonly (
  | number
  | null
)[] {
  const recall = share(found, answers);
  const precision = share(right, shown);
  return [recall, precision, fScore(recall, precision, 1), fScore(recall, precision, 0.5)];
}

export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** With `beta` 0.5, precision counts twice as much as recall. A reviewer who says nothing has no precision, and an F of 0. */
function fScore(recall: number | null, precision: number | null, beta: number): number | null {
  if (recall === null) return null;
  const weight = beta ** 2;
  const below = weight * (precision ?? 0) + recall;
  return below === 0 ? 0 : ((1 + weight) * (precision ?? 0) * recall) / below;
}

/** One tally per pull request. */
export function figuresOf(tallies: readonly AnswerTally[]): Figures {
  const rows = tallies.map(rowOf);
  const [answers = 0, found = 0, shown = 0, right = 0] = sumRows(rows, 4);
  const [recall = NONE, precision = NONE, f1 = NONE, f05 = NONE] = estimate(rows, 4, figuresOfSums);
  return { answers, found, shown, right, recall, precision, f1, f05 };
}

const NONE: Estimate = { value: null, low: null, high: null };

export function estimate(
  rows: Rows,
  width: number,
  figures: (sums: readonly number[]) => readonly (number | null)[],
): readonly Estimate[] {
  const values = figures(sumRows(rows, width));
  return bootstrap(rows, width, figures).map((interval, at) => {
    const value = values[at] ?? null;
    return value === null
      ? NONE
      : { value: round(value), low: round(interval.low), high: round(interval.high) };
  });
}

/** Digits that mean something; also the same bytes on every machine. */
const DIGITS = 1e6;

export function round(value: number): number;
export function round(value: number | null): number | null;
export function round(value: number | null): number | null {
  return value === null ? null : Math.round(value * DIGITS) / DIGITS;
}
