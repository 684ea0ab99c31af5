/** In a large change, files outside the riskiest ones are told about from major up. */
import { isAtLeast } from "../../../base/severity.ts";
import { isAlwaysReported } from "./always-reported.ts";
import { drop, type JudgingRule, KEEP } from "./rule.ts";

export const abbreviatedFiles: JudgingRule = ({ finding, facts, severity }, { analysis }) => {
  const isRead = !analysis.scale.isTriaged || facts === null || facts.tier === "full";
  if (isRead || isAtLeast(severity, "major") || isAlwaysReported({ finding })) return KEEP;
  return drop(
    "filtered:abbreviated-file",
    "in a change of this size this file is read for major findings only",
  );
};
