/** Drops categories that the mode or `review.patterns.ignore` excludes. Critical findings are reported anyway. */
import { isAlwaysReported } from "./always-reported.ts";
import { drop, type JudgingRule, KEEP } from "./rule.ts";

export const ignoredCategory: JudgingRule = ({ finding, severity }, { analysis }) => {
  const isIgnored = analysis.mode.ignoredCategories.includes(finding.category);
  if (!isIgnored || severity === "critical" || isAlwaysReported({ finding })) return KEEP;
  return drop(
    "filtered:category",
    `${finding.category} is excluded by ${analysis.mode.mode} mode or by configuration`,
  );
};
