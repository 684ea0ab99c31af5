/**
 * A model reads what is new since the last review. A finding about code that was read before is reported only if the new code
 * causes it.
 */
import { hasNewLines, type Scope } from "../../change/scope.ts";
import { walkHunk } from "../../change/walk-hunks.ts";
import { drop, KEEP, type FindingInJudgement, type JudgingRule } from "./rule.ts";

export const unchangedCode: JudgingRule = (candidate, { scope }) => {
  const { finding, isKnown = false } = candidate;
  if (isKnown || finding.source !== "model" || scope.full !== null || !isReadBefore(candidate, scope))
    return KEEP;
  if (finding.causedBy !== undefined && hasNewLines(finding.causedBy, scope))
    return {
      kind: "severity",
      severity: candidate.severity,
      note: `its code was reviewed before; new code in ${finding.causedBy} causes it`,
    };
  return drop(
    "dropped:unchanged-code",
    "a model has read this code before, and nothing says that new code causes it",
  );
};

/** Whether a model has read all changed lines of its place, or of its hunk if it quotes only context. */
function isReadBefore({ anchor, file }: FindingInJudgement, { byPath }: Scope): boolean {
  if (anchor === null || file === null) return false;
  const hunks = byPath.get(file.path) ?? [];
  for (const [index, hunk] of file.hunks.entries()) {
    const readings = hunks[index]?.readings ?? [];
    const lines = walkHunk(hunk).map(({ oldLine, newLine }, position) => ({
      line: anchor.side === "new" ? newLine : oldLine,
      reading: readings[position] ?? null,
    }));
    const here = lines.filter(
      ({ line }) => line !== null && line >= anchor.startLine && line <= anchor.endLine,
    );
    if (here.length === 0) continue;
    const changed = here.filter(({ reading }) => reading !== null);
    const relevant = changed.length > 0 ? changed : lines.filter(({ reading }) => reading !== null);
    return relevant.every(({ reading }) => reading?.model !== null);
  }
  return false;
}
