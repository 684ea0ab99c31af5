/** `kodiai-ignore-next-line` in the code. Neither critical findings nor those about the review itself are suppressed. */
import { isAlwaysTold } from "./always-reported.ts";
import { drop, type JudgingRule, KEEP } from "./rule.ts";

export const inCodeSuppression: JudgingRule = ({ finding, severity }) => {
  if (finding.ignoredBecause === null || severity === "critical" || isAlwaysTold({ finding })) return KEEP;
  return drop("suppressed:in-code", finding.ignoredBecause);
};
