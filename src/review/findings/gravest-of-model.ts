/** A model that finds something everywhere does not bury what matters: of its findings the gravest are reported. */
import { severityRank } from "../../base/severity.ts";
import type { FindingInJudgement } from "./rules/rule.ts";

/** A review with more findings is not read to its end. */
export const MAX_MODEL_FINDINGS = 50;

/** Those of a model beyond the gravest; of equally grave ones the surer, then the earlier, come first. */
export function beyondGravest(candidates: readonly FindingInJudgement[]): ReadonlySet<FindingInJudgement> {
  const ofModel = candidates.filter(({ finding }) => finding.source === "model");
  const byGravity = ofModel.toSorted(
    (a, b) =>
      severityRank(a.severity) - severityRank(b.severity) || b.finding.confidence - a.finding.confidence,
  );
  return new Set(byGravity.slice(MAX_MODEL_FINDINGS));
}
