/** Findings below the mode's threshold (or `severity.minLevel`) are recorded and counted, but not shown. */
import { isAtLeast } from "../../../base/severity.ts";
import { isAlwaysReported } from "./always-reported.ts";
import { drop, type JudgingRule, KEEP } from "./rule.ts";

export const belowMode: JudgingRule = ({ finding, severity }, { analysis }) => {
  const { mode, minLevel } = analysis.mode;
  return isAtLeast(severity, minLevel) || isAlwaysReported({ finding })
    ? KEEP
    : drop("filtered:below-mode", `${mode} mode reports ${minLevel} and higher`);
};
