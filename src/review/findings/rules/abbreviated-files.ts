/** In a large change, only major and more severe findings get a comment outside the riskiest files. */
import { isAtLeast } from "../../../base/severity.ts";
import { isAlwaysReported } from "./always-reported.ts";
import { type JudgingRule, KEEP, list } from "./rule.ts";

export const abbreviatedFiles: JudgingRule = ({ finding, facts, severity }, { analysis }) => {
  const isRead = !analysis.scale.isTriaged || facts === null || facts.tier === "full";
  if (isRead || isAtLeast(severity, "major") || isAlwaysReported({ finding })) return KEEP;
  return list("in a change this large, this file gets comments from major up");
};
