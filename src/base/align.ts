/** Aligns two sequences of lines, as a diff does. */
import { diffArrays } from "diff";

/**
 * Sequences that differ in more lines than this have little in common, and comparing them takes quadratic time. Only their common
 * beginning and end are aligned then.
 */
const MAX_EDITS = 3_000;

/** For each line of `after`, the index of the same line in `before`, or -1. The indices of aligned lines rise. */
export function alignLines(before: readonly string[], after: readonly string[]): readonly number[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const from = after.map((_, index) => (index < start ? index : -1));
  for (let back = 1; back <= end; back++) from[after.length - back] = before.length - back;
  const parts = diffArrays(before.slice(start, before.length - end), after.slice(start, after.length - end), {
    maxEditLength: MAX_EDITS,
  });
  let [oldIndex, newIndex] = [start, start];
  for (const { added, removed, count } of parts ?? []) {
    if (!added && !removed) for (let step = 0; step < count; step++) from[newIndex + step] = oldIndex + step;
    if (!added) oldIndex += count;
    if (!removed) newIndex += count;
  }
  return from;
}
