/** Findings below the mode's threshold get no comment on their line. Below `severity.minLevel`, which a team sets, they aren't shown. */
import { isAtLeast } from "../../../base/severity.ts";
import { isAlwaysReported } from "./always-reported.ts";
import { drop, type JudgingRule, KEEP, list } from "./rule.ts";

export const belowMode: JudgingRule = ({ finding, severity }, { analysis }) => {
  const { mode, minLevel, shownFrom } = analysis.mode;
  if (isAlwaysReported({ finding })) return KEEP;
  if (!isAtLeast(severity, shownFrom))
    return drop("filtered:below-mode", `severity.minLevel is ${shownFrom}`);
  return isAtLeast(severity, minLevel) ? KEEP : list(`${mode} mode comments on ${minLevel} and higher`);
};
