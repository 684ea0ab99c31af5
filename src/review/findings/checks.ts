/**
 * The meaning of gaps. This file alone decides whether a gap makes a review incomplete, and whether the silence of a rule proves anything.
 */
import type { CheckGap } from "./check-gap.ts";

/** A check that a person switched off is shown, but the review did all that it was to do. */
export function isGapIncomplete({ reason }: CheckGap): boolean {
  return reason !== "off";
}

/** Whether a rule lacked something for a file, whatever the reason: then its silence proves nothing. */
export function isUnchecked(rule: string, path: string, gaps: readonly CheckGap[]): boolean {
  return gaps.some(
    ({ paths, rules }) =>
      (paths === null || paths.includes(path)) &&
      rules.some((each) => (each.endsWith("/") ? rule.startsWith(each) : each === rule)),
  );
}

/** One gap per check and reason, with all of its files and rules. Sorted, because files are read in no certain order. */
export function mergeGaps(gaps: readonly CheckGap[]): readonly CheckGap[] {
  const groups = Map.groupBy(gaps, ({ check, reason, detail, paths }) =>
    JSON.stringify([check, reason, detail, paths === null]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return [
      {
        ...first,
        paths:
          first.paths === null ? null : [...new Set(group.flatMap(({ paths }) => paths ?? []))].toSorted(),
        rules: [...new Set(group.flatMap(({ rules }) => rules))].toSorted(),
      },
    ];
  });
}
