/**
 * Drops categories that `review.patterns.ignore` or a keyword excludes, and only lists those that the mode excludes. Critical findings are
 * reported anyway.
 */
import { isAlwaysReported } from "./always-reported.ts";
import { drop, type JudgingRule, KEEP, list } from "./rule.ts";

export const ignoredCategory: JudgingRule = ({ finding, severity }, { analysis }) => {
  const { mode, ignoredCategories, listedCategories } = analysis.mode;
  const { category } = finding;
  if (severity === "critical" || isAlwaysReported({ finding })) return KEEP;
  if (ignoredCategories.includes(category))
    return drop("filtered:category", `${category} is excluded by configuration or by a keyword`);
  return listedCategories.includes(category) ? list(`${mode} mode doesn't comment on ${category}`) : KEEP;
};
