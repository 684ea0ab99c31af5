/** Decides what became of earlier findings, from what this run has read. */
import type { Unreadable } from "../../review/change/change.ts";
import type { FileReadings, Reviewer } from "../../review/change/readings.ts";
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
import type { RulesReview } from "./review-with-rules.ts";

/** Files with text that Kodiai couldn't read. */
const LIMITS: ReadonlySet<Unreadable> = new Set(["too-large", "too-many-files", "filtered", "unreadable"]);

export type SettleInput = {
  readonly located: readonly LocatedPrior[];
  readonly again: readonly FoundAgain[];
  readonly prepared: PreparedReview;
  readonly rules: RulesReview;
  /** The readings after this run. */
  readonly readings: readonly FileReadings[];
};

export function settleFindings({ located, again, ...run }: SettleInput): Settled {
  return settlePrior(located, again, proofOf(run));
}

function proofOf({ prepared, rules, readings }: Omit<SettleInput, "located" | "again">): ReadProof {
  const { scope, analysis, sarif } = prepared;
  const unreadable = new Set(
    prepared.change.files
      .filter(({ unreadable: why }) => why !== null && LIMITS.has(why))
      .map(({ path }) => path),
  );
  const isReadBy = (path: string, by: Reviewer): boolean =>
    !unreadable.has(path) &&
    readings.some((file) => file.path === path && file.readings.every((reading) => reading[by] !== null));
  const reviewable = analysis.files.filter(({ mark, isSkipped }) => mark === null && !isSkipped);
  return {
    isRead(finding, path) {
      if (!isReviewerHere(finding)) return false;
      const by = finding.source === "model" ? "model" : "rules";
      return path === null ? reviewable.every((file) => isReadBy(file.path, by)) : isReadBy(path, by);
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
