/** `review.minConfidence`. */
import { drop, type JudgingRule, KEEP } from "./rule.ts";

export const minimumConfidence: JudgingRule = ({ finding }, { config }) => {
  const least = config.forPath(finding.path).values.review.minConfidence;
  if (finding.confidence >= least) return KEEP;
  return drop("dropped:below-confidence", `confidence ${finding.confidence} is below ${least}`);
};
