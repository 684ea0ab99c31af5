/** Statements of a shell script: what runs before and after one, and whether a failure stops the script there. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { nearestAncestor } from "./ancestors.ts";

const STOPS = /^\s*set\s+(?:-\w*e|[^#]*-o\s+errexit)|^#!.*sh\s+-\w*e/;
const GOES_ON = /(?:^|[\s;&|({])set\s+(?:\+\w*e|\+o\s+errexit)/;

/** True when a command that fails in this line or below stops the script. */
export function stopsAtErrors(lines: readonly string[], line: number): boolean {
  const first = lines.findIndex((text) => STOPS.test(text));
  return first !== -1 && first < line && !lines.some((text) => GOES_ON.test(text));
}

/** True when some line makes the shell look at each command of a pipe, or may do so. */
export function hasPipefail(lines: readonly string[]): boolean {
  return lines.some((line) => /pipefail|PIPESTATUS/.test(line));
}

const CONTAINERS: ReadonlySet<string> = new Set([
  "program",
  "do_group",
  "compound_statement",
  "subshell",
  "else_clause",
  "case_item",
  "if_statement",
  "elif_clause",
]);

/** The statement of a list of statements that the node belongs to. A condition belongs to the whole `if` or loop. */
export function statementOf(node: SyntaxNode): SyntaxNode {
  let statement = node;
  for (let around = node.parent(); around !== null; around = around.parent()) {
    if (CONTAINERS.has(around.kind()) && !isCondition(statement)) break;
    statement = around;
  }
  return statement;
}

/** True for the command between `if` and `then`, or after `while`. */
export function isCondition(node: SyntaxNode): boolean {
  const kind = node.parent()?.kind();
  if (kind === "while_statement") return node.kind() !== "do_group";
  if (kind !== "if_statement" && kind !== "elif_clause") return false;
  for (let next = node.next(); next !== null; next = next.next()) if (next.text() === "then") return true;
  return false;
}

/** The statement that ran just before this one in the same list, or null. */
export function previousStatement(statement: SyntaxNode): SyntaxNode | null {
  let before = statement.prev();
  while (before !== null && (before.kind() === "comment" || /^(?:;|\n)$/.test(before.text())))
    before = before.prev();
  if (before?.isNamed() !== true || /^(?:else_clause|elif_clause)$/.test(before.kind())) return null;
  return isCondition(before) ? null : before;
}

/** The command itself, without its redirections; null for anything else. */
export function commandOf(statement: SyntaxNode | null): SyntaxNode | null {
  if (statement?.kind() === "redirected_statement") return commandOf(statement.field("body"));
  return statement?.kind() === "command" ? statement : null;
}

/** The name of the command of a statement, or "". */
export function commandName(statement: SyntaxNode | null): string {
  return commandOf(statement)?.field("name")?.text() ?? "";
}

/** The last command of a pipe. */
export function lastOfPipe(pipeline: SyntaxNode): SyntaxNode | null {
  return pipeline.namedChildren().at(-1) ?? null;
}

/**
 * True when a failing command at this place ends a script that stops at errors. In a function it doesn't, if the function is
 * called in a condition or in `$( )`.
 */
export function isStoppingPlace(statement: SyntaxNode, lines: readonly string[]): boolean {
  const around = nearestAncestor(statement, (node) =>
    /^(?:function_definition|subshell|command_substitution|list|pipeline|negated_command)$/.test(node.kind()),
  );
  if (around === null) return true;
  if (around.kind() !== "function_definition") return false;
  const name = around.field("name")?.text() ?? "";
  const isMentioned = new RegExp(`(?<![\\w-])${escapePattern(name)}(?![\\w-])`);
  const isPlain = new RegExp(
    `^\\s*${escapePattern(name)}(?:\\s*\\(\\s*\\)|(?:\\s[^|&]*)?$)|^\\s*function\\s|^\\s*#`,
  );
  const mentions = lines.filter((line) => isMentioned.test(line));
  return mentions.length > 1 && mentions.every((line) => isPlain.test(line));
}
