/** What people repeatedly did not want. Critical, must-fix and security findings are never suppressed by feedback. */
import { isAtLeast } from "../../../base/severity.ts";
import { drop, type JudgingRule, KEEP } from "./rule.ts";

export const feedbackSuppressions: JudgingRule = (candidate, { suppressedByFeedback }) => {
  if (isAtLeast(candidate.severity, "must-fix") || candidate.finding.category === "security") return KEEP;
  const why = suppressedByFeedback(candidate);
  return why === null ? KEEP : drop("suppressed:feedback", why);
};
