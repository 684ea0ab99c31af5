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

/** Of the values of all lists. There may be very many, and only an array of numbers is sorted fast. */
export function spreadOf(lists: readonly (readonly number[])[]): Spread {
  const sorted = new Float64Array(lists.reduce((total, { length }) => total + length, 0));
  let filled = 0;
  for (const list of lists) {
    sorted.set(list, filled);
    filled += list.length;
  }
  sorted.sort();
  const at = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  return sorted.length === 0 ? null : { median: at(0.5), p95: at(0.95) };
}
