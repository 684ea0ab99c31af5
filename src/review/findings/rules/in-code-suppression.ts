/** `kodiai-ignore-next-line` in the code. Critical findings are never suppressed. */
import { drop, type JudgingRule, KEEP } from "./rule.ts";

export const inCodeSuppression: JudgingRule = ({ finding, severity }) => {
  if (finding.ignoredBecause === null || severity === "critical") return KEEP;
  return drop("suppressed:in-code", finding.ignoredBecause);
};
