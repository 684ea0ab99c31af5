/** Finds which model has read each changed line after this run: one of this run, or of an earlier one. */
import type { PassReport } from "../../review/publication/publication.ts";
import type { Reviewed } from "../../review/publication/reviewed.ts";
import { modelPasses } from "../../review/publication/words.ts";
import { whyHunkUnread } from "../../review/publication/compose/split-by-hunks.ts";
import type { Change } from "../../review/change/change.ts";
import {
  type FileReadings,
  type LineReading,
  type ModelReading,
  UNCOMMITTED,
  UNREAD,
} from "../../review/change/readings.ts";
import type { Scope } from "../../review/change/scope.ts";

export function readingsOfRun(
  change: Change,
  scope: Scope,
  reviewed: Pick<Reviewed, "coverage" | "passes">,
): readonly FileReadings[] {
  const { coverage } = reviewed;
  const model = readerOf(modelPasses(reviewed), change.head ?? UNCOMMITTED);
  return change.files.map(({ path, hunks }) => {
    const byModel = coverage.byModel?.get(path);
    const before = scope.byPath.get(path) ?? [];
    const readings = hunks.flatMap((_, index) => {
      const now: LineReading = whyHunkUnread(byModel, index + 1) === null ? { model } : UNREAD;
      return (before[index]?.readings ?? [])
        .filter((reading) => reading !== null)
        .map((reading) => (reading.model === null ? now : reading));
    });
    return { path, readings };
  });
}

/** The model that finished last. Others may have read some of the files before it. */
function readerOf(passes: readonly PassReport[], head: string): ModelReading | null {
  const readers = passes.filter(({ step }) => step !== "triage");
  const last = readers.findLast(({ outcome }) => outcome === "completed") ?? readers.at(-1);
  return last === undefined ? null : { id: last.model, head };
}
