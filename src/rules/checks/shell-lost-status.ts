/** `$?` that isn't the status of the command it's meant for: another command ran in between, or the script has stopped already. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { type FileView, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";
import {
  commandName,
  commandOf,
  hasPipefail,
  isStoppingPlace,
  lastOfPipe,
  previousStatement,
  statementOf,
  stopsAtErrors,
} from "../syntax/shell-statements.ts";

/** Commands that are never run for their status. */
const ALWAYS_WORKS = /^(?:date|sleep|set|popd|shift|unset|logger|clear|hostname|whoami)$/;

/** What the `$?` of this statement is the status of, when that's wrong. */
function wrongStatus(statement: SyntaxNode, lines: readonly string[]): Partial<RuleMatch> | null {
  const previous = previousStatement(statement);
  if (previous === null) return null;
  if (previous.kind() === "pipeline" && commandName(lastOfPipe(previous)) === "tee")
    return hasPipefail(lines)
      ? null
      : { title: "Lost exit status: `$?` is that of `tee`, not of the command before it" };
  const before = previousStatement(previous);
  const isAfterCommand = before !== null && /^(?:command|pipeline|redirected_statement)$/.test(before.kind());
  const name = commandName(previous);
  if (ALWAYS_WORKS.test(name) && isAfterCommand && commandName(before) !== "echo")
    return { title: `Lost exit status: \`$?\` is that of \`${name}\`, not of the command before it` };
  if (previous.kind() === "declaration_command" && /^(?:local|declare)\s[\w\s]+$/.test(previous.text()))
    return { title: "Lost exit status: `$?` is that of the declaration, not of the command before it" };
  return null;
}

/** True when a script that stops at errors checks afterwards whether the command failed. */
function isTooLate(statement: SyntaxNode, lines: readonly string[]): boolean {
  const previous = previousStatement(statement);
  const isChecked = statement.kind() === "if_statement" || /^\w+=\$\?$/.test(statement.text());
  if (previous === null || !isChecked || !isStoppingPlace(statement, lines)) return false;
  if (previous.kind() === "variable_assignment") return /^\w+=["']?\$\((?!\()/.test(previous.text());
  if (previous.kind() === "pipeline") return true;
  return (
    commandOf(previous) !== null && !/^(?:echo|printf|true|:|\[|test|set|wait)$/.test(commandName(previous))
  );
}

function* check(root: SyntaxNode, { lines }: FileView): Iterable<RuleMatch> {
  if (lines === null) return;
  const seen = new Set<number>();
  for (const use of root.findAll({ rule: { kind: "simple_expansion", regex: "^\\$\\?$" } })) {
    const statement = statementOf(use);
    const { line } = linesOf(use);
    // The status of the command that runs inside of the same statement.
    if (linesOf(statement).line !== line || seen.has(line)) continue;
    seen.add(line);
    const wrong = wrongStatus(statement, lines);
    if (wrong !== null) yield { line, ...wrong };
    else if (stopsAtErrors(lines, line) && isTooLate(statement, lines))
      yield {
        line,
        // The message is lost, but the script does stop.
        severity: statement.kind() === "if_statement" ? "minor" : "medium",
        title: "Dead check of `$?`: `set -e` stops the script before it",
        detail: "Use the command as the condition: `if ! command; then`.",
      };
  }
}

export const shellLostStatus: TreeRule = {
  kind: "tree",
  id: "shell-lost-status",
  title: "Lost exit status: `$?` isn't that of the command it's meant for",
  severity: "major",
  category: "correctness",
  why: "`$?` is the status of the last command that ran. The failure that the script looks for isn't in it, so the check has no effect.",
  fix: "Store `$?` right after the command, use `if command; then`, or read `${PIPESTATUS[0]}` after a pipe.",
  languages: ["bash"],
  inTests: true,
  trigger: /\$\?/,
  check,
};
