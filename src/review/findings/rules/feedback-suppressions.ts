/** Suppresses findings that people rejected repeatedly, and says which findings feedback has no power over. */
import { isAtLeast } from "../../../base/severity.ts";
import { count } from "../../../base/count.ts";
import type { Finding } from "../finding.ts";
import { isAlwaysListed } from "./always-reported.ts";
import { MOST_WITHOUT_PROOF } from "./proven-when-loud.ts";
import type { FeedbackRuling } from "../../context/feedback-ruling.ts";
import { drop, type FindingInJudgement, type JudgingRule, KEEP } from "./rule.ts";

/**
 * Critical, must-fix and security findings, as they are rated now, and those about attempts to blind the review. A finding that its
 * rule rates so stays beyond feedback while it is medium only because nothing proves it.
 */
export function isBeyondFeedback({
  finding,
  severity,
}: Pick<FindingInJudgement, "severity"> & {
  readonly finding: Pick<Finding, "rule" | "category" | "severity">;
}): boolean {
  const isUnproven = severity === MOST_WITHOUT_PROOF && isAtLeast(finding.severity, "must-fix");
  return (
    isUnproven ||
    isAtLeast(severity, "must-fix") ||
    finding.category === "security" ||
    isAlwaysListed({ finding })
  );
}

export const feedbackSuppressions: JudgingRule = (candidate, { feedbackOn }) => {
  if (isBeyondFeedback(candidate)) return KEEP;
  const ruling = feedbackOn(candidate.finding);
  if (ruling?.kind !== "suppress") return KEEP;
  return drop("suppressed:feedback", describeSuppressed(ruling));
};

export function describeSuppressed({
  id,
  rejections,
  people,
  pullRequests,
}: Extract<FeedbackRuling, { readonly kind: "suppress" }>): string {
  return `suppression s${id}: rejected ${count(rejections, "time")} by ${count(people, "person", "people")} on ${count(pullRequests, "pull request")}`;
}
