/** `rescue Exception`, which also swallows signals and exits. Branches that re-raise, exit or pass on the error are ignored. */
import { escapePattern } from "../../base/escape-pattern.ts";
import { createAncestorTest } from "../syntax/ancestors.ts";
import type { ChangedFile } from "../../review/change/change.ts";
import { walkHunk } from "../../review/change/walk-hunks.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { RuleMatch, TreeRule } from "../rule.ts";

/** Re-raises the error, or passes it to the process, thread or caller. */
const RAISED = /\b(?:raise|exit!?|abort|throw|reject|fail|set_exception|fulfill|kill|rollback\w*)\b/i;

const LOGGED =
  /\b(?:logger|log|warn|error|fatal|notify\w*|report\w*|capture_\w+|handle_\w+|backtrace|full_message|puts|print)\b/i;

/** True when the change replaces a rescue of other errors. */
function widensRescue(file: ChangedFile): boolean {
  return file.hunks.some((hunk) =>
    walkHunk(hunk).some(
      ({ kind, text }) => kind === "removed" && /^\s*rescue\b(?!.*\bException\b)/.test(text),
    ),
  );
}

/** True when the error is stored or passed on, to be raised later: `@error = e`, `queue << e`, `[nil, e]`. */
function isKept(clause: SyntaxNode): boolean {
  const variable = clause
    .children()
    .find((child) => child.kind() === "exception_variable")
    ?.namedChildren()[0]
    ?.text();
  if (variable === undefined) return false;
  const body = clause.field("body")?.text() ?? "";
  const name = escapePattern(variable);
  return new RegExp(`(?:=|<<|\\breturn|push\\(|\\[|,)\\s*${name}\\b(?!\\.)|^\\s*${name}\\s*$`, "m").test(
    body,
  );
}

/** True when a separate branch handles signals and exits. */
function hasSignalBranch(clause: SyntaxNode): boolean {
  const branches = clause.parent()?.children() ?? [];
  return branches.some(
    (branch) =>
      branch.kind() === "rescue" &&
      /^rescue[^\n]*\b(?:SystemExit|Interrupt|SignalException)\b/.test(branch.text()),
  );
}

/** True for a thread's block, which signals and exits don't reach. */
function startsThread(ancestor: SyntaxNode): boolean {
  return (
    /^(?:new|start|fork)$/.test(ancestor.field("method")?.text() ?? "") &&
    /(?:^|::)Thread$/.test(ancestor.field("receiver")?.text() ?? "")
  );
}

export const rubyRescueException: TreeRule = {
  kind: "tree",
  id: "ruby-rescue-exception",
  title: "Overbroad handler: `rescue Exception` also catches signals and `exit`",
  severity: "medium",
  category: "reliability",
  why: "It catches Ctrl-C, `exit`, SIGTERM and out-of-memory errors, so the process can't be stopped and real failures stay hidden.",
  fix: "Rescue `StandardError` or specific errors, or re-raise the exception.",
  languages: ["ruby"],
  trigger: /\brescue\s+(?:\w+\s*,\s*)*Exception\b/,
  *check(root, { file }): Iterable<RuleMatch> {
    const isWidened = widensRescue(file);
    const clauses = root.findAll({ rule: { kind: "rescue", regex: "^rescue[^\\n]*\\bException\\b" } });
    const isInThread = createAncestorTest(startsThread);
    for (const clause of clauses) {
      const names = clause.field("exceptions")?.namedChildren() ?? [];
      if (!names.some((name) => /^(?:::)?Exception$/.test(name.text()))) continue;
      const body = clause.field("body")?.text() ?? "";
      // Logging a wider error than before is a slip; logging `Exception` from the start may be deliberate.
      if (RAISED.test(body) || (LOGGED.test(body) && !isWidened) || isKept(clause)) continue;
      if (hasSignalBranch(clause) || isInThread(clause)) continue;
      yield { line: clause.range().start.line + 1 };
    }
  },
};
