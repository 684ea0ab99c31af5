/**
 * Findings of rules and linters that this team keeps rejecting are one level less severe. They stay visible: no finding is lowered so far
 * that the mode or the size of the change would hide it. A severity from the configuration stays.
 */
import { lowerSeverity } from "../../../base/severity.ts";
import { count } from "../../../base/count.ts";
import { abbreviatedFiles } from "./abbreviated-files.ts";
import { belowMode } from "./below-mode.ts";
import { isBeyondFeedback } from "./feedback-suppressions.ts";
import { type FindingInJudgement, type JudgingContext, type JudgingRule, KEEP } from "./rule.ts";

export const loweredByFeedback: JudgingRule = (candidate, situation) => {
  const { finding, severity } = candidate;
  if (finding.rule === null || (finding.source !== "floor" && finding.source !== "analyser")) return KEEP;
  if (severity === "minor" || isBeyondFeedback(candidate)) return KEEP;
  const setting = situation.config.forPath(finding.path).values.floor.rules[finding.rule];
  if (setting !== undefined && setting !== "on") return KEEP;
  const ruling = situation.feedbackOn(finding);
  if (ruling?.kind !== "lower") return KEEP;
  const lowered = lowerSeverity(severity, 1);
  if (isHidden({ ...candidate, severity: lowered }, situation)) return KEEP;
  const { rejections, signals } = ruling;
  const note = `lowered from ${severity} to ${lowered}: this team rejected ${rejections} of ${count(signals, "finding")} like it`;
  return { kind: "severity", severity: lowered, note };
};

function isHidden(candidate: FindingInJudgement, situation: JudgingContext): boolean {
  return [abbreviatedFiles, belowMode].some((rule) => rule(candidate, situation).kind === "drop");
}
