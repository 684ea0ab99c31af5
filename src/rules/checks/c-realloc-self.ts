/** `p = realloc(p, n)`: if it fails, the old block leaks. Programs that exit on failure are ignored. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { cCallsIn, type CFunction, createFunctionLookup } from "../syntax/c-declarations.ts";
import type { RuleMatch, TreeRule } from "../rule.ts";

const NAMES: ReadonlySet<string> = new Set(["realloc", "reallocarray"]);
/** These end the program, so a leak doesn't matter. */
const ENDS_PROGRAM =
  /(?:exit|abort|assert|panic|die|fatal|oom\w{0,40}|perror_msg\w{0,40}|\b(?:errx?|terminate|check))\s*\(|\bFATAL\b/i;

/** The assignment around a call, looking through casts. */
function assignmentOf(call: SyntaxNode): SyntaxNode | null {
  let node = call.parent();
  while (node !== null && /^(?:cast_expression|parenthesized_expression)$/.test(node.kind()))
    node = node.parent();
  return node?.kind() === "assignment_expression" ? node : null;
}

/** The statement that holds a node, and the one after it. */
function textAround(node: SyntaxNode): string {
  let statement = node;
  for (let around = node.parent(); around?.kind() !== "compound_statement"; around = around.parent()) {
    if (around === null) return "";
    statement = around;
  }
  return `${statement.text()}\n${nextStatement(statement)?.text() ?? ""}`;
}

function nextStatement(statement: SyntaxNode): SyntaxNode | null {
  let next = statement.next();
  while (next !== null && next.kind() === "comment") next = next.next();
  return next;
}

/** True when the function saves the old pointer in another variable before the call. */
function isKept(target: string, assignment: SyntaxNode, around: CFunction | null): boolean {
  if (around === null) return false;
  const before = around.squeezed(assignment.range().start.index);
  const name = target.replaceAll(/\s+/g, "");
  return before.includes(`=${name};`) || before.includes(`=${name},`);
}

export const cReallocSelf: TreeRule = {
  kind: "tree",
  id: "c-realloc-self",
  title: "Memory leak if `realloc` fails",
  severity: "medium",
  category: "reliability",
  why: "When `realloc` fails, it returns NULL and keeps the old block. Overwriting the only pointer with NULL leaks that block and everything in it.",
  fix: "Assign the result to a temporary, check it for NULL, then update the pointer.",
  languages: ["c", "cpp"],
  trigger: /\brealloc(?:array)?\s*\(/,
  *check(root): Iterable<RuleMatch> {
    const functionAround = createFunctionLookup(root);
    for (const { node, args } of cCallsIn(root, NAMES)) {
      const assignment = assignmentOf(node);
      const target = assignment?.field("left")?.text() ?? "";
      if (assignment === null || target === "" || args[0]?.text() !== target) continue;
      if (ENDS_PROGRAM.test(textAround(assignment)) || isKept(target, assignment, functionAround(assignment)))
        continue;
      yield {
        line: node.range().start.line + 1,
        detail: `\`${target}\` is the only pointer to the old block.`,
      };
    }
  },
};
