/** Suppresses findings that users rejected repeatedly, but never critical, must-fix or security findings. */
import { isAtLeast } from "../../../base/severity.ts";
import { drop, type JudgingRule, KEEP } from "./rule.ts";

export const feedbackSuppressions: JudgingRule = (candidate, { suppressedByFeedback }) => {
  if (isAtLeast(candidate.severity, "must-fix") || candidate.finding.category === "security") return KEEP;
  const why = suppressedByFeedback(candidate);
  return why === null ? KEEP : drop("suppressed:feedback", why);
};
