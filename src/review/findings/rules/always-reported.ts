/**
 * Findings about attempts to blind or steer a review, or to change its settings. They are reported in every mode, and a comment
 * in the change can't ignore them. Only the base branch can, by turning the rule off.
 */
import type { Finding } from "../finding.ts";
import type { FindingInJudgement } from "./rule.ts";

/** Ids of the rules. They also run when the review itself is skipped. */
export const ALWAYS_REPORTED: ReadonlySet<string> = new Set([
  "diff-hiding-attributes",
  "hidden-characters",
  "kodiai-config-changed",
  "reviewer-injection",
]);

/** Excludes findings that the rule itself rates as minor, such as a text about injections. */
export function isAlwaysReported({ finding }: Pick<FindingInJudgement, "finding">): boolean {
  return isAlwaysListed({ finding }) && finding.severity !== "minor";
}

/** These are always kept; the minor ones are only listed in the details if the mode doesn't report them. */
export function isAlwaysListed({ finding }: { readonly finding: Pick<Finding, "rule"> }): boolean {
  return finding.rule !== null && ALWAYS_REPORTED.has(finding.rule);
}
