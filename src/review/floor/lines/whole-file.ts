/** Tells whether a tree rule sees the whole file. Rules that report a missing use must not guess from a diff. */
import { walkHunk } from "../../change/walk-hunks.ts";
import type { FileView } from "../rule.ts";

/** Lines of context that a hunk ends with, except at the end of a file. */
const CONTEXT_LINES = 3;

/** False when only the diff is known. */
export function isWholeFile({ file, lines }: FileView): boolean {
  if (file.status === "added") return true;
  const hunks = file.hunks.map((hunk) => [...walkHunk(hunk)]);
  const shown = new Set(hunks.flat().map(({ newLine }) => newLine));
  if ((lines ?? []).some((line, index) => line !== "" && !shown.has(index + 1))) return true;
  const [only, second] = hunks;
  const isToEnd = only?.slice(-CONTEXT_LINES).some(({ kind }) => kind !== "context") ?? false;
  return isToEnd && second === undefined && (file.hunks[0]?.newStart ?? 0) <= 1;
}
