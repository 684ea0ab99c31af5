/** Categories that the mode or `review.patterns.ignore` leaves out. Critical findings are told all the same. */
import { drop, type JudgingRule, KEEP } from "./rule.ts";

export const ignoredCategory: JudgingRule = ({ finding, severity }, { analysis }) => {
  if (severity === "critical" || !analysis.mode.ignoredCategories.includes(finding.category)) return KEEP;
  return drop(
    "filtered:category",
    `${finding.category} is left out in ${analysis.mode.mode} mode or by configuration`,
  );
};
