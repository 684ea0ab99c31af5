/** Tells whether a tree rule sees the whole file. Rules that report a missing use must not guess from a diff. */
import type { FileView } from "../rule.ts";

/**
 * False when only the diff is known. Its lines end with those of the last hunk, while a whole file has more, at least the empty
 * one after its last line feed.
 */
export function isWholeFile({ file, lines }: FileView): boolean {
  const last = file.hunks.at(-1);
  if (file.status === "added" || last === undefined || lines === null) return true;
  const shown = last.lines.filter((line) => !line.startsWith("-")).length;
  return lines.length > last.newStart + shown - 1;
}
