/** In a large change, only major and more severe findings are reported outside the riskiest files. */
import { isAtLeast } from "../../../base/severity.ts";
import { isAlwaysReported } from "./always-reported.ts";
import { drop, type JudgingRule, KEEP } from "./rule.ts";

export const abbreviatedFiles: JudgingRule = ({ finding, facts, severity }, { analysis }) => {
  const isRead = !analysis.scale.isTriaged || facts === null || facts.tier === "full";
  if (isRead || isAtLeast(severity, "major") || isAlwaysReported({ finding })) return KEEP;
  return drop(
    "filtered:abbreviated-file",
    "in a change this large, this file is reviewed only for major and more severe findings",
  );
};
