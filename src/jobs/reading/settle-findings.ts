/** Decides what became of earlier findings, from what this run has read. */
import type { ChangedFile, Unreadable } from "../../review/change/change.ts";
import type { Place } from "../../review/change/map-places.ts";
import {
  changedLinesOf,
  type FileReadings,
  type LineReading,
  type Reviewer,
} from "../../review/change/readings.ts";
import { isFileUnread } from "../../review/change/scope.ts";
import type { PriorFinding } from "../../review/context/prior-review.ts";
import type { LocatedPrior } from "../../review/findings/match-prior.ts";
import {
  type FoundAgain,
  type ReadProof,
  type Settled,
  settlePrior,
} from "../../review/findings/settle-prior.ts";
import type { PreparedReview } from "../gathering/prepare-review.ts";
import { UNCOMMITTED } from "./readings-of-run.ts";
import type { RulesReview } from "./review-with-rules.ts";

/** Files with text that Kodiai couldn't read. */
const LIMITS: ReadonlySet<Unreadable> = new Set(["too-large", "too-many-files", "filtered", "unreadable"]);

export type SettleInput = {
  readonly located: readonly LocatedPrior[];
  readonly again: readonly FoundAgain[];
  readonly prepared: PreparedReview;
  readonly rules: RulesReview;
  /** The readings after this run, one entry per changed file, in order. */
  readonly readings: readonly FileReadings[];
};

export function settleFindings({ located, again, ...run }: SettleInput): Settled {
  return settlePrior(located, again, proofOf(run));
}

function proofOf({ prepared, rules, readings }: Omit<SettleInput, "located" | "again">): ReadProof {
  const { change, scope, analysis, sarif } = prepared;
  const head = change.head ?? UNCOMMITTED;
  const unreadable = new Set(
    change.files.filter(({ unreadable: why }) => why !== null && LIMITS.has(why)).map(({ path }) => path),
  );
  const isReadBy = (where: Place | string, by: Reviewer): boolean => {
    const path = typeof where === "string" ? where : where.path;
    if (unreadable.has(path)) return false;
    return change.files.some((file, index) => {
      const all = readings[index]?.readings ?? [];
      const own = typeof where === "string" ? all : readingsAt(where, file, all);
      // Code that left a hunk without a trace may now be anywhere in the file.
      const isReadNow = own.some(({ rules: at, model }) => (by === "rules" ? at : model?.head) === head);
      return file.path === path && (isReadNow ? own : all).every((reading) => reading[by] !== null);
    });
  };
  const reviewable = analysis.files.filter(({ mark, isSkipped }) => mark === null && !isSkipped);
  return {
    isRead(finding, where) {
      if (!isReviewerHere(finding)) return false;
      const by = finding.source === "model" ? "model" : "rules";
      return where === null ? reviewable.every((file) => isReadBy(file.path, by)) : isReadBy(where, by);
    },
    hasRunAgain(finding, path) {
      if (!isReviewerHere(finding) || finding.rule === null || finding.source === "model") return false;
      if (rules.changeRules.has(finding.rule)) return true;
      return finding.source !== "sarif" && isFileUnread(path, "rules", scope) && isReadBy(path, "rules");
    },
  };

  /** A linter that didn't run, and results of another tool that weren't passed again, prove nothing. */
  function isReviewerHere({ source, rule }: PriorFinding): boolean {
    if (source === "sarif") return sarif.length > 0;
    if (source !== "analyser") return true;
    const report = rules.analysers.find(({ name }) => rule?.startsWith(`${name}/`) === true);
    return report !== undefined && report.gaps.length === 0;
  }
}

/** The readings in the hunks that a place touches. */
function readingsAt(
  { side, startLine, endLine }: Place,
  { hunks }: ChangedFile,
  readings: readonly LineReading[],
): readonly LineReading[] {
  let first = 0;
  return hunks.flatMap((hunk) => {
    const own = readings.slice(first, (first += changedLinesOf(hunk).length));
    const start = side === "new" ? hunk.newStart : hunk.oldStart;
    const end = start + hunk.lines.filter((line) => line[0] !== (side === "new" ? "-" : "+")).length;
    return startLine < end && endLine >= start ? own : [];
  });
}
