/** An error of Go that another one replaces, or that `nil` replaces in a `return`, before anything has read it. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** A longer statement isn't searched. */
const MAX_CHARS = 4_000;

const ASSIGNING = /^(?:short_var_declaration|assignment_statement)$/;
const ERROR = /^(?:err|err[A-Z]\w{0,20}|\w{1,20}Err)$/;

/** A function, a jump, or a return of named results can read the error without naming it here. */
const READ_UNSEEN = /\b(?:func|goto)\b|^defer\b|^\w+:|\breturn[ \t]*[\n}]/;

/** The error that a call's result is assigned to. */
function errorSetBy(node: SyntaxNode): string | null {
  if (!ASSIGNING.test(node.kind()) || /^(?:\+|-|\|)=/.test(node.field("operator")?.text() ?? "="))
    return null;
  const name = node.field("left")?.namedChildren().at(-1)?.text() ?? "";
  const values = node.field("right")?.namedChildren() ?? [];
  const [value] = values;
  // `error(nil)` only declares it.
  const isCall = values.length === 1 && value?.kind() === "call_expression";
  return isCall && ERROR.test(name) && !value.text().startsWith("error(") ? name : null;
}

function textOf(node: SyntaxNode): string | null {
  const { start, end } = node.range();
  return end.index - start.index > MAX_CHARS ? null : node.text();
}

/** The statement that replaces the error without reading it; null when it's read, or nothing replaces it. */
function replacedBy(node: SyntaxNode, name: string): SyntaxNode | null {
  const mention = new RegExp(`(?<![\\w.])${escapePattern(name)}\\b`);
  for (let next = node.next(); next !== null; next = next.next()) {
    if (!next.isNamed() || next.kind() === "comment") continue;
    const text = textOf(next);
    if (text === null) return null;
    if (!mention.test(text)) {
      if (READ_UNSEEN.test(text)) return null;
      continue;
    }
    if (errorSetBy(next) !== name) return null;
    const right = next.field("right");
    return right === null || mention.test(right.text()) ? null : next;
  }
  return null;
}

export const goReplacedError: TreeRule = {
  kind: "tree",
  id: "go-replaced-error",
  title: "Lost error: another one replaces it before it's checked",
  severity: "medium",
  category: "reliability",
  why: "If the first call fails, the code goes on with values that were never set, and the cause is gone.",
  fix: "Check the error right after the call that returns it.",
  confidence: 0.9,
  languages: ["go"],
  afterRemoval: true,
  trigger: /\b(?:err\w*|\w+Err)\s*:?=/,
  *check(root): Iterable<RuleMatch> {
    for (const node of root.findAll({
      rule: { any: [{ kind: "short_var_declaration" }, { kind: "assignment_statement" }] },
    })) {
      const name = node.parent()?.kind() === "statement_list" ? errorSetBy(node) : null;
      const next = name === null ? null : replacedBy(node, name);
      if (name === null || next === null) continue;
      const line = linesOf(next).line;
      yield {
        line: linesOf(node).line,
        also: [line],
        missingIn: { line: linesOf(node).line, endLine: line },
        title: `Lost error: ${nameOr(name, "it")} is replaced before it's checked`,
        detail: `Line ${line} gives it another value.`,
      };
    }
  },
};
