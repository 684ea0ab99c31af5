/** A Python function that returns tuples of different lengths: the caller that takes one apart fails on the other. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** The number of values; null for anything that isn't a plain tuple. */
function lengthOf(statement: SyntaxNode): number | null {
  const [value] = statement.namedChildren();
  if (value === undefined || !/^(?:expression_list|tuple)$/.test(value.kind())) return null;
  const parts = value.namedChildren().filter((part) => part.kind() !== "comment");
  return parts.some((part) => part.kind() === "list_splat") ? null : parts.length;
}

/** Frameworks and protocols read tuples of several lengths: an answer and its status, how to copy an object. */
const FLEXIBLE_FILE = /\b(?:flask|quart|starlette|bottle|sanic|falcon|jsonify|make_response|HTTPStatus)\b/i;
const FLEXIBLE_NAME = /^(?:__\w+__|deconstruct|\w*key\w*|\w*sort\w*|\w*version\w*|\w*shape\w*|\w*coord\w*)$/i;

/** A status of HTTP. */
const STATUS = /[(,\s][1-5]\d\d\)?$/;

/** Two lengths are a slip. More are meant. */
const LENGTHS = 2;

export const unevenReturns: TreeRule = {
  kind: "tree",
  id: "uneven-returns",
  title: "Uneven returns: another number of values than elsewhere in the function",
  severity: "medium",
  category: "correctness",
  why: "A caller that takes the values apart fails with a `ValueError` on one of the ways out.",
  fix: "Return the same number of values everywhere.",
  confidence: 0.85,
  languages: ["python"],
  trigger: /\breturn\b[^\n]*,/,
  *check(root): Iterable<RuleMatch> {
    if (FLEXIBLE_FILE.test(root.text())) return;
    const byFunction = new Map<number, { readonly around: SyntaxNode; readonly returns: SyntaxNode[] }>();
    for (const node of root.findAll({ rule: { kind: "return_statement" } })) {
      const around = functionAround(node);
      if (around === null) continue;
      const at = around.range().start.index;
      const known = byFunction.get(at) ?? { around, returns: [] };
      byFunction.set(at, known);
      known.returns.push(node);
    }
    for (const { around, returns } of byFunction.values()) {
      const lengths = Map.groupBy(returns, (one) => lengthOf(one));
      const others = lengths.get(null) ?? [];
      lengths.delete(null);
      // A bare `return` and `return None` are a failure that callers may check.
      if (
        lengths.size !== LENGTHS ||
        others.some((one) => !/^return(?:\s+None)?$/.test(one.text().slice(0, 20)))
      )
        continue;
      if (FLEXIBLE_NAME.test(around.field("name")?.text() ?? "")) continue;
      const [rare, usual] = [...lengths.values()].toSorted((a, b) => a.length - b.length);
      const [odd, one] = [rare?.[0], usual?.[0]];
      if (odd === undefined || one === undefined || STATUS.test(lastLine(odd)) || STATUS.test(lastLine(one)))
        continue;
      const { line, endLine } = linesOf(odd);
      yield {
        line,
        endLine,
        also: linesOf(one).line === line ? [] : [linesOf(one).line],
        title: `Uneven returns: ${nameOr(around.field("name")?.text() ?? "", "the function")} gives ${lengthOf(odd)} values here and ${lengthOf(one)} on line ${linesOf(one).line}`,
      };
    }
  },
};

function lastLine(node: SyntaxNode): string {
  return node.text().slice(-200).split("\n").at(-1) ?? "";
}
