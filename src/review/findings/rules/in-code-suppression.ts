/** `kodiai-ignore-next-line` in the code. Neither critical findings nor those about the review itself are suppressed. */
import { isAlwaysReported } from "./always-reported.ts";
import { drop, type JudgingRule, KEEP } from "./rule.ts";

export const inCodeSuppression: JudgingRule = ({ finding, severity }) => {
  if (finding.ignoredBecause === null || severity === "critical" || isAlwaysReported({ finding }))
    return KEEP;
  return drop("suppressed:in-code", finding.ignoredBecause);
};
