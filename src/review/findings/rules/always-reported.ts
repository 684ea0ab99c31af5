/**
 * What blinds or steers a review, or changes its settings: it is told in every mode, and no comment of the change silences it.
 * Only the base branch can, by switching the rule off.
 */
import type { FindingInJudgement } from "./rule.ts";

/** Ids of the rules. They also run when the review itself is skipped. */
export const ALWAYS_TOLD: ReadonlySet<string> = new Set([
  "diff-hiding-attributes",
  "hidden-characters",
  "kodiai-config-changed",
  "reviewer-injection",
]);

/** Not for what the rule itself reports quietly, such as a text about injections, or guidelines that were edited. */
export function isAlwaysReported({ finding }: Pick<FindingInJudgement, "finding">): boolean {
  return isAlwaysListed({ finding }) && finding.severity !== "minor";
}

/** These are kept too, but where the mode doesn't report minor findings they are only listed in the details. */
export function isAlwaysListed({ finding }: Pick<FindingInJudgement, "finding">): boolean {
  return finding.rule !== null && ALWAYS_TOLD.has(finding.rule);
}
