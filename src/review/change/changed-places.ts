/** Where a hunk changes the new side of its file. */
import type { Hunk } from "./change.ts";
import { walkHunk } from "./walk-hunks.ts";

/** Lines at the head: each added line, and the line that now follows each removed one. Ascending, each once. */
export function changedPlaces(hunk: Hunk): readonly number[] {
  const places = new Set<number>();
  let next = hunk.newStart;
  for (const { kind, newLine } of walkHunk(hunk)) {
    if (kind !== "context") places.add(newLine ?? next);
    if (newLine !== null) next = newLine + 1;
  }
  return [...places];
}

/** The lines of a hunk on both sides. A side without lines ends before it starts. */
export type HunkSpan = {
  readonly oldFirst: number;
  readonly oldLast: number;
  readonly newFirst: number;
  readonly newLast: number;
};

export function spanOf({ oldStart, newStart, lines }: Hunk): HunkSpan {
  const oldCount = lines.filter((line) => !line.startsWith("+")).length;
  const newCount = lines.filter((line) => !line.startsWith("-")).length;
  // A side without lines has the number of the line before it.
  const oldFirst = oldCount === 0 ? oldStart + 1 : oldStart;
  const newFirst = newCount === 0 ? newStart + 1 : newStart;
  return { oldFirst, oldLast: oldFirst + oldCount - 1, newFirst, newLast: newFirst + newCount - 1 };
}
