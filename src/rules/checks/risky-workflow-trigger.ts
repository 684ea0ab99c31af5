/** Reports privileged workflows that check out untrusted code. Reads only the lines that the hunks show. */
import { isWorkflow } from "../../base/path-kinds.ts";
import type { ChangeRule } from "../rule.ts";
import { visibleLines, type VisibleLine } from "../lines/visible-lines.ts";
import { hasTrigger } from "../lines/workflow-scripts.ts";

const HEAD_OF_PULL_REQUEST =
  /^\s*(?:- )?(?:ref|repository):\s*.{0,60}\$\{\{[^}]{0,60}\bgithub\.(?:event\.pull_request\.head\.|head_ref\b)|^\s*(?:- )?ref:\s*["']?refs\/pull\/\$\{\{|\bgh pr checkout\b/;
const HEAD_OF_RUN =
  /^\s*(?:- )?ref:\s*.{0,60}\$\{\{[^}]{0,60}\bgithub\.event\.workflow_run\.head_(?:sha|branch)/;
/** Conditions that limit the run to the repository's own branches or to pushes. */
const FROM_INSIDE =
  /head\.repo\.full_name\s*==\s*github\.repository|github\.repository\s*==\s*github\.event\.pull_request\.head\.repo\.full_name|head\.repo\.fork\s*==\s*false|!\s*github\.event\.pull_request\.head\.repo\.fork|author_association/;
const RUN_FROM_INSIDE =
  /workflow_run\.event\s*[!=]=|workflow_run\.head_branch\s*==|workflow_run\.head_repository|^\s*branches:/;

export const riskyWorkflowTrigger: ChangeRule = {
  kind: "change",
  id: "risky-workflow-trigger",
  title: "Privileged workflow checks out untrusted code",
  severity: "critical",
  category: "security",
  why: "This trigger gives secrets and a write token to runs for pull requests from forks. Any script, test or build file in the fork then runs with them.",
  fix: "Use `pull_request` to build and test the code, or keep this trigger and don't check out the pull request's head.",
  confidence: 0.9,
  *check({ files }) {
    for (const { path, file } of files) {
      if (!isWorkflow(path)) continue;
      const lines = visibleLines(file).filter(({ text }) => !text.trimStart().startsWith("#"));
      const place = riskyPlace(lines);
      if (place !== null) yield { path, line: place.line };
    }
  },
};

/** The added line that completes the pair: the checkout if it's new, otherwise the trigger. */
function riskyPlace(lines: readonly VisibleLine[]): VisibleLine | null {
  return (
    pairOf(lines, "pull_request_target", HEAD_OF_PULL_REQUEST, FROM_INSIDE) ??
    pairOf(lines, "workflow_run", HEAD_OF_RUN, RUN_FROM_INSIDE)
  );
}

function pairOf(
  lines: readonly VisibleLine[],
  trigger: string,
  checkout: RegExp,
  guard: RegExp,
): VisibleLine | null {
  if (!hasTrigger(lines, trigger) || lines.some(({ text }) => guard.test(text))) return null;
  const checkouts = lines.filter(({ text }) => checkout.test(text));
  if (checkouts.length === 0) return null;
  return (
    checkouts.find(({ isAdded }) => isAdded) ??
    lines.find((line) => line.isAdded && hasTrigger([line], trigger)) ??
    null
  );
}
