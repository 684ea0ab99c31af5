/**
 * `kodiai-ignore-next-line` in the code, or a suppression in a SARIF file. Neither suppresses critical findings or findings about the
 * review itself.
 */
import { isAlwaysReported } from "./always-reported.ts";
import { drop, type JudgingRule, KEEP } from "./rule.ts";

export const inCodeSuppression: JudgingRule = ({ finding, severity }) => {
  if (finding.ignoredBecause === null || severity === "critical" || isAlwaysReported({ finding }))
    return KEEP;
  return drop("suppressed:in-code", finding.ignoredBecause);
};
