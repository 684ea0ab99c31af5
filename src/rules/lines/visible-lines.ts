/** The lines of a changed file at the head, as far as its hunks show them. It never guesses the lines between hunks. */
import type { ChangedFile } from "../../review/change/change.ts";
import { walkHunk } from "../../review/change/walk-hunks.ts";

export type VisibleLine = {
  readonly line: number;
  readonly text: string;
  readonly isAdded: boolean;
  /** Lines of one hunk are contiguous; lines between hunks may be missing. */
  readonly hunk: number;
};

/** Added and context lines in order. Cut lines are kept with an empty text. */
export function visibleLines(file: ChangedFile): readonly VisibleLine[] {
  const cut = new Set(file.cutLines);
  const lines: VisibleLine[] = [];
  file.hunks.forEach((hunk, index) => {
    for (const { kind, text, newLine } of walkHunk(hunk)) {
      if (newLine === null) continue;
      lines.push({
        line: newLine,
        text: cut.has(newLine) ? "" : text,
        isAdded: kind === "added",
        hunk: index,
      });
    }
  });
  return lines;
}
