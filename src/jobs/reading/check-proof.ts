/** Says what this run has looked at, as far as findings of earlier runs depend on it. */
import { isUnseen } from "../../review/change/is-unseen.ts";
import type { CheckProof } from "../../review/findings/carry-prior.ts";
import { isUnchecked } from "../../review/findings/checks.ts";
import { whyTurnedOff } from "../../review/findings/rules/turned-off.ts";
import { ignoreReason } from "../../review/findings/ignore-comment.ts";
import { walkHunk } from "../../review/change/walk-hunks.ts";
import type { ChangedFile } from "../../review/change/change.ts";
import type { Reviewed } from "../../review/publication/reviewed.ts";
import type { PreparedReview } from "../gathering/prepared-review.ts";

export function proofOf(
  { change, analysis, config }: Pick<PreparedReview, "change" | "analysis" | "config">,
  reviewed: Reviewed,
): CheckProof {
  const { coverage, rules, rulesForAll } = reviewed;
  const toolNames = reviewed.sarif.flatMap(({ tools }) => tools.map(({ name }) => name.toLowerCase()));
  const tools = new Set(toolNames);
  const analysers = new Set(reviewed.analysers.map(({ name }) => name));
  return {
    answers: reviewed.answers,
    isUnseen: (path) => isUnseen(path, change.files),
    ignoreReasonAt: (file, line, rule) => ignoreReason(lineOf(file, line - 1), rule),
    couldFindAgain({ source, rule }, path) {
      const isHidden = isUnseen(path, change.files) || coverage.unreadPaths.has(path);
      if (rule === null || isHidden || whyTurnedOff({ rule, source, path }, config.tree) !== null)
        return false;
      const facts = analysis.byPath.get(path);
      const isFiltered = facts !== undefined && (facts.mark !== null || facts.isSkipped);
      if (isFiltered && !rulesForAll.has(rule)) return false;
      const [tool = ""] = rule.split("/", 1);
      const isPassed = tools.has(tool.toLowerCase());
      if (source === "sarif") return isPassed;
      if (source === "analyser" && !analysers.has(tool)) return false;
      return (source === "analyser" || rules.has(rule)) && !isUnchecked(rule, path, coverage.gaps);
    },
  };
}

/** A line of the new side; null when the diff doesn't show it. */
function lineOf({ hunks }: ChangedFile, wanted: number): string | null {
  for (const hunk of hunks)
    for (const { newLine, text } of walkHunk(hunk)) if (newLine === wanted) return text;
  return null;
}
