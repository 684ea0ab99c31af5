/** Limits a model's findings to the most severe, so that a noisy model doesn't bury what matters. */
import { severityRank } from "../../base/severity.ts";
import type { FindingInJudgement } from "./rules/rule.ts";

/** People don't read longer reviews to the end. */
export const MAX_MODEL_FINDINGS = 50;

/** Findings beyond the limit that only models report. Of equally severe ones, the more confident, then the earlier, are kept. */
export function beyondGravest(candidates: readonly FindingInJudgement[]): ReadonlySet<FindingInJudgement> {
  const ofModel = candidates.filter(({ sources }) => sources.every(({ source }) => source === "model"));
  const byGravity = ofModel.toSorted(
    (a, b) =>
      severityRank(a.severity) - severityRank(b.severity) || b.finding.confidence - a.finding.confidence,
  );
  return new Set(byGravity.slice(MAX_MODEL_FINDINGS));
}
