/** Whether a line of a file at the head has reached the model, in the diff or through read_file. */
import { walkHunk } from "../review/change/walk-hunks.ts";
import type { ReviewContext } from "./tool.ts";

export function hasSeenLine(
  { path, line }: { readonly path: string; readonly line: number },
  { change, shown }: Pick<ReviewContext, "change" | "shown">,
): boolean {
  if (shown.whereLines(`head:${path}`, { from: line, to: line }) !== null) return true;
  const file = change.files.find((each) => each.path === path);
  if (file === undefined) return false;
  return shown
    .hunks(file)
    .some((number) => walkHunk(file.hunks[number - 1] ?? NO_HUNK).some(({ newLine }) => newLine === line));
}

const NO_HUNK = { oldStart: 0, newStart: 0, section: "", lines: [] };
