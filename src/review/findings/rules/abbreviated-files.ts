/** In a large change, files outside the riskiest ones are told about from major up. */
import { isAtLeast } from "../../../base/severity.ts";
import { drop, type JudgingRule, KEEP } from "./rule.ts";

export const abbreviatedFiles: JudgingRule = ({ facts, severity }, { analysis }) => {
  if (!analysis.scale.isTriaged || facts === null || facts.tier === "full" || isAtLeast(severity, "major"))
    return KEEP;
  return drop(
    "filtered:abbreviated-file",
    "in a change of this size this file is read for major findings only",
  );
};
