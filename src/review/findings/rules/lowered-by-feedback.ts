/**
 * Findings that this team keeps rejecting are one level less severe, and those that a person explained once get a note with the reason.
 * They stay visible: no finding is lowered below `severity.minLevel`. A severity from the configuration stays.
 */
import { isAtLeast, lowerSeverity } from "../../../base/severity.ts";
import { count } from "../../../base/count.ts";
import { isBeyondFeedback } from "./feedback-suppressions.ts";
import type { FindingSource } from "../finding.ts";
import type { GivenReason } from "../../context/feedback-ruling.ts";
import { type JudgingRule, KEEP } from "./rule.ts";

export const loweredByFeedback: JudgingRule = (candidate, situation) => {
  const { finding, severity } = candidate;
  if (!LOWERED_SOURCES.has(finding.source) || isBeyondFeedback(candidate)) return KEEP;
  const { rules } = situation.config.forPath(finding.path).values.floor;
  const setting = finding.rule === null ? undefined : rules[finding.rule];
  if (setting !== undefined && setting !== "on") return KEEP;
  const ruling = situation.feedbackOn(finding);
  if (ruling === null || ruling.kind === "suppress") return KEEP;
  if (ruling.kind === "explained") {
    // A person who follows this pull request has seen it.
    if (candidate.isKnown === true) return KEEP;
    const note = describeReason(ruling.reason);
    return ruling.isListed
      ? { kind: "list", note, taught: ruling }
      : { kind: "severity", severity, note, taught: ruling };
  }
  const lowered = lowerSeverity(severity, 1);
  if (severity === "minor" || !isAtLeast(lowered, situation.analysis.mode.shownFrom)) return KEEP;
  const { rejections, signals, reason } = ruling;
  const because = reason.words === "" ? "" : `; ${describeReason(reason)}`;
  const note = `lowered from ${severity} to ${lowered}: this team rejected ${rejections} of ${count(signals, "finding")} like it${because}`;
  return { kind: "severity", severity: lowered, note, taught: ruling };
};

/** Other tools have settings of their own. */
const LOWERED_SOURCES: ReadonlySet<FindingSource> = new Set(["floor", "analyser", "model"]);

function describeReason({ by, words, pullRequest }: GivenReason): string {
  return `dismissed by ${by} in #${pullRequest}: "${words}"`;
}
