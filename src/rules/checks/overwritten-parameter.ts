/** A parameter that gets another value before anything reads it: whatever a caller passes has no effect. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { functionKindsOf } from "../syntax/function-kinds.ts";
import { parameterNames } from "../syntax/parameter-names.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** A longer function isn't read. */
const MAX_CHARS = 10_000;
const MAX_PARAMETERS = 12;

function sizeOf(node: SyntaxNode): number {
  const { start, end } = node.range();
  return end.index - start.index;
}

/** The target and the value of a statement that only assigns. */
function assignmentIn(statement: SyntaxNode): { readonly target: string; readonly value: SyntaxNode } | null {
  const [only, second] = statement.namedChildren();
  if (statement.kind() !== "expression_statement" || only === undefined || second !== undefined) return null;
  if (!/^assignment(?:_expression)?$/.test(only.kind())) return null;
  const [target, value] = [only.field("left"), only.field("right")];
  if (target === null || value === null || !only.children().some((child) => child.kind() === "="))
    return null;
  // A typed assignment of Python and a chain declare something.
  if (only.field("type") !== null || value.kind().startsWith("assignment")) return null;
  return { target: target.text(), value };
}

/** Set by the function for its caller, or kept for a signature that isn't its own. */
const UNREAD = /\b(?:out|ref)\s+|^_|&\s*\$/;

/** Tells that another function decides the signature. */
const GIVEN_SIGNATURE = /@Override\b|\boverride\b|@override\b|#\[\\?Override\]/;

function* overwrittenIn(node: SyntaxNode, sigil: string): Iterable<RuleMatch> {
  const body = node.field("body");
  const list = node.field("parameters");
  if (body === null || list === null || sizeOf(node) > MAX_CHARS) return;
  const names = parameterNames(node) ?? [];
  if (names.length === 0 || names.length > MAX_PARAMETERS || UNREAD.test(list.text())) return;
  if (GIVEN_SIGNATURE.test(node.text().slice(0, 300))) return;
  const open = new Map(
    names.map((name) => [
      name,
      new RegExp(`(?<![\\w$>]|(?<!\\.\\.)\\.)${escapePattern(sigil + name)}(?![\\w])`),
    ]),
  );
  for (const statement of body.namedChildren()) {
    if (open.size === 0) return;
    // The text that documents a function, and comments, read nothing.
    const [first] = statement.namedChildren();
    if (/comment/.test(statement.kind()) || first?.kind() === "string") continue;
    const text = statement.text();
    const assignment = assignmentIn(statement);
    for (const [name, mention] of open) {
      if (!mention.test(text)) continue;
      open.delete(name);
      if (assignment?.target !== sigil + name || mention.test(assignment.value.text())) continue;
      const { line } = linesOf(statement);
      const signature = linesOf(list);
      yield {
        line,
        also: Array.from({ length: signature.endLine - signature.line + 1 }, (_, at) => signature.line + at),
        title: `Overwritten parameter: nothing reads the passed value of ${nameOr(name, "it")}`,
      };
    }
  }
}

export const overwrittenParameter: TreeRule = {
  kind: "tree",
  id: "overwritten-parameter",
  title: "Overwritten parameter: nothing reads the passed value",
  severity: "medium",
  category: "correctness",
  why: "Callers pass a value that has no effect. The assignment was probably meant for the case without one, or for another variable.",
  fix: "Use the passed value, or remove the parameter.",
  confidence: 0.85,
  languages: ["javascript", "typescript", "tsx", "python", "php", "java", "csharp"],
  trigger: /^\s*\$?\w+\s*=(?![=>])/m,
  *check(root, { language }): Iterable<RuleMatch> {
    const kinds = functionKindsOf(language).filter((kind) => !kind.includes("lambda"));
    for (const node of root.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } }))
      yield* overwrittenIn(node, language === "php" ? "$" : "");
  },
};
