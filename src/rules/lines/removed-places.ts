/** Where the change removed lines, as places at the head that a tree rule can report. */
import { walkHunk } from "../../review/change/walk-hunks.ts";
import type { FileView, RuleMatch } from "../rule.ts";

export type RemovedPlace = {
  readonly text: string;
  /** The first added line in its place, or the line before the gap. */
  readonly near: number;
  readonly place: Pick<RuleMatch, "also" | "missingIn">;
};

export function removedPlaces({ file }: FileView): readonly RemovedPlace[] {
  const found: RemovedPlace[] = [];
  for (const hunk of file.hunks) {
    let before = hunk.newStart;
    let run: string[] = [];
    const close = (added: number | null): void => {
      const near = added ?? before;
      const place = { also: [near], missingIn: { line: near, endLine: near + 1 } };
      found.push(...run.map((text) => ({ text, near, place })));
      run = [];
    };
    for (const { kind, text, newLine } of walkHunk(hunk)) {
      if (newLine === null) {
        run.push(text);
        continue;
      }
      close(kind === "added" ? newLine : null);
      before = newLine;
    }
    close(null);
  }
  return found;
}
