/**
 * Drops findings of rules and analysers about code that was there before the change: moved, re-indented, or edited elsewhere on
 * the line. A security problem that must be fixed stays, as medium. A model's finding stays, and says so.
 */
import { isAtLeast } from "../../../base/severity.ts";
import { removedLines } from "../../change/walk-hunks.ts";
import { foldCode } from "../fold-code.ts";
import { isAlwaysListed } from "./always-reported.ts";
import { drop, type FindingInJudgement, type JudgingRule, KEEP } from "./rule.ts";

/** A secret stays a secret wherever it is moved. */
const SECRET_RULE = /(?:^|[/-])secrets?(?:-|$)/;

/** Shorter lines (`else:`, `return nil`) are alike in unrelated places. */
const MIN_DISTINCT_CHARS = 12;

export const wasThereBefore: JudgingRule = (candidate) => {
  const { finding, severity } = candidate;
  if (finding.rule === null && finding.isExisting === true)
    return { kind: "severity", severity, note: "the problem was there before this change" };
  if (finding.rule === null || isAlwaysListed(candidate) || SECRET_RULE.test(finding.rule)) return KEEP;
  if (finding.isExisting !== true && !isMovedText(candidate)) return KEEP;
  if (finding.category === "security" && isAtLeast(severity, "must-fix"))
    return {
      kind: "severity",
      severity: "medium",
      note: `lowered from ${severity} to medium: the code was there before the change`,
    };
  return drop("dropped:was-there-before", "the code was there before the change");
};

/** A built-in rule checks the file before the change itself; of other tools' findings only the text is known. */
function isMovedText({ finding, anchor, file }: FindingInJudgement): boolean {
  if (finding.source === "floor" || finding.isExisting === false || file === null || anchor?.side !== "new")
    return false;
  const lines = anchor.lines.map(foldCode).filter((line) => line !== "");
  if (lines.join("").length < MIN_DISTINCT_CHARS) return false;
  const removed = new Set(Array.from(removedLines(file), ({ text }) => foldCode(text)));
  return lines.every((line) => removed.has(line));
}
