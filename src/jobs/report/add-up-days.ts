/** Adds up the totals of days. Pure. */
import { SEVERITIES, type Severity } from "../../base/severity.ts";
import { addUpCounts, type DailyTotals, SEVERITY_COUNTS } from "../../store/repositories/daily-totals.ts";
import type { DayFigures, Spread } from "./report.ts";

export function addUpDays(days: readonly DailyTotals[]): DayFigures {
  const counts = addUpCounts(days);
  const { completed, partial, failed, skipped, superseded, answers, found, reported } = counts;
  const { accepted, dismissed, ignored, open } = counts;
  return {
    reviews: { completed, partial, failed, skipped, superseded },
    answers,
    findings: {
      found,
      reported,
      // Every severity has a count.
      bySeverity: Object.fromEntries(
        SEVERITIES.map((severity) => [severity, counts[SEVERITY_COUNTS[severity]]]),
      ) as Readonly<Record<Severity, number>>,
    },
    outcomes: {
      accepted,
      dismissed,
      ignored,
      open,
      acceptance: shareOf(accepted, accepted + dismissed),
    },
    reviewMs: spreadOf(days.map(({ durations }) => durations)),
  };
}

export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** Of the values of all lists. There may be very many, so they aren't sorted for two of them. */
export function spreadOf(lists: readonly (readonly number[])[]): Spread {
  const values = new Float64Array(lists.reduce((total, { length }) => total + length, 0));
  let filled = 0;
  for (const list of lists) {
    values.set(list, filled);
    filled += list.length;
  }
  const at = (share: number): number => nth(values, Math.ceil(values.length * share) - 1);
  return values.length === 0 ? null : { median: at(0.5), p95: at(0.95) };
}

/** The value that sorting would put at the index, found by dividing the values like quicksort, on one side only. Changes their order. */
function nth(values: Float64Array, index: number): number {
  const at = (position: number): number => values[position] ?? 0;
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = at((low + high) >> 1);
    let left = low;
    let right = high;
    for (;;) {
      while (at(left) < pivot) left++;
      while (at(right) > pivot) right--;
      if (left >= right) break;
      const moved = at(left);
      values[left++] = at(right);
      values[right--] = moved;
    }
    if (index <= right) high = right;
    else low = right + 1;
  }
  return at(index);
}
