/** Finds who has read each changed line after this run: this run's reviewers, or those of an earlier run. */
import type { AnalyserReport, PassReport } from "../../review/publication/publication.ts";
import type { ReadCoverage } from "../../review/publication/compose/compose-receipt.ts";
import { whyHunkUnread } from "../../review/publication/compose/split-by-hunks.ts";
import type { Change } from "../../review/change/change.ts";
import type { FileReadings, LineReading, ModelReading } from "../../review/change/readings.ts";
import { isFileUnread, type Scope } from "../../review/change/scope.ts";

/** A change without a commit is in the working tree. */
export const UNCOMMITTED = "uncommitted";

export type RunReading = {
  readonly change: Change;
  readonly scope: Scope;
  readonly coverage: ReadCoverage;
  readonly analysers: readonly AnalyserReport[];
  /** The passes of models. */
  readonly passes: readonly PassReport[];
};

/** Gaps that another run may not have. */
const PASSING_GAPS: ReadonlySet<string> = new Set(["failed", "time", "memory", "unread"]);

export function readingsOfRun(run: RunReading): readonly FileReadings[] {
  const { change, scope, coverage, passes } = run;
  const head = change.head ?? UNCOMMITTED;
  // The next run tries the linters again.
  const isChecked = !run.analysers.some(({ gaps }) => gaps.some(({ reason }) => PASSING_GAPS.has(reason)));
  const model = readerOf(passes, head);
  return change.files.map(({ path, hunks }) => {
    const isReadByRules = isChecked && isFileUnread(path, "rules", scope) && !coverage.unreadPaths.has(path);
    const byModel = coverage.byModel?.get(path);
    const before = scope.byPath.get(path) ?? [];
    const readings = hunks.flatMap((_, index) => {
      const isReadByModel = whyHunkUnread(byModel, index + 1) === null;
      return (before[index]?.readings ?? []).flatMap((reading): readonly LineReading[] => {
        if (reading === null) return [];
        return [
          {
            rules: reading.rules ?? (isReadByRules ? head : null),
            model: reading.model ?? (isReadByModel ? model : null),
          },
        ];
      });
    });
    return { path, readings };
  });
}

/** The model that finished last. Others may have read some of the files before it. */
function readerOf(passes: readonly PassReport[], head: string): ModelReading | null {
  const last = passes.findLast(({ outcome }) => outcome === "completed") ?? passes.at(-1);
  return last === undefined ? null : { id: last.model, head };
}
