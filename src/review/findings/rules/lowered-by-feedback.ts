/**
 * Findings of rules and linters that this team keeps rejecting are one level less severe. They stay visible: no finding is lowered below
 * `severity.minLevel`. A severity from the configuration stays.
 */
import { isAtLeast, lowerSeverity } from "../../../base/severity.ts";
import { count } from "../../../base/count.ts";
import { isBeyondFeedback } from "./feedback-suppressions.ts";
import { type JudgingRule, KEEP } from "./rule.ts";

export const loweredByFeedback: JudgingRule = (candidate, situation) => {
  const { finding, severity } = candidate;
  if (finding.rule === null || (finding.source !== "floor" && finding.source !== "analyser")) return KEEP;
  if (severity === "minor" || isBeyondFeedback(candidate)) return KEEP;
  const setting = situation.config.forPath(finding.path).values.floor.rules[finding.rule];
  if (setting !== undefined && setting !== "on") return KEEP;
  const ruling = situation.feedbackOn(finding);
  if (ruling?.kind !== "lower") return KEEP;
  const lowered = lowerSeverity(severity, 1);
  if (!isAtLeast(lowered, situation.analysis.mode.shownFrom)) return KEEP;
  const { rejections, signals } = ruling;
  const note = `lowered from ${severity} to ${lowered}: this team rejected ${rejections} of ${count(signals, "finding")} like it`;
  return { kind: "severity", severity: lowered, note };
};
