/** Finds the assignments in a function, in any language. It never follows a value further. */
import type { SyntaxNode } from "../../syntax/syntax.ts";

export type Assignment = {
  readonly node: SyntaxNode;
  readonly name: string;
  readonly value: SyntaxNode;
};

const JAVASCRIPT = ["variable_declarator", "assignment_expression", "augmented_assignment_expression"];

/** Node kinds per language, because searching for a kind that a grammar doesn't have is an error. */
const KINDS_BY_LANGUAGE: Readonly<Record<string, readonly string[]>> = {
  javascript: JAVASCRIPT,
  typescript: JAVASCRIPT,
  tsx: JAVASCRIPT,
  python: ["assignment", "augmented_assignment"],
  ruby: ["assignment", "operator_assignment"],
  go: ["short_var_declaration", "assignment_statement", "var_spec"],
  java: ["variable_declarator", "assignment_expression"],
  csharp: ["variable_declarator", "assignment_expression"],
  php: ["assignment_expression", "augmented_assignment_expression"],
  rust: ["let_declaration", "assignment_expression"],
  c: ["init_declarator", "assignment_expression"],
  cpp: ["init_declarator", "assignment_expression"],
};

/** Every assignment of one value to one name under a node in order, including appending ones. */
export function assignmentsIn(scope: SyntaxNode, language: string): readonly Assignment[] {
  const kinds = KINDS_BY_LANGUAGE[language] ?? [];
  if (kinds.length === 0) return [];
  const found: Assignment[] = [];
  for (const node of scope.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } })) {
    const assignment = toAssignment(node);
    if (assignment !== null) found.push(assignment);
  }
  return found;
}

function toAssignment(node: SyntaxNode): Assignment | null {
  const target = single(
    node.field("left") ?? node.field("name") ?? node.field("pattern") ?? node.field("declarator"),
  );
  let value = single(node.field("right") ?? node.field("value"));
  // C#'s declarator has no field for its value, which is its last child.
  if (value === null && node.kind() === "variable_declarator") value = node.namedChildren().at(1) ?? null;
  if (target === null || value === null) return null;
  return { node, name: target.text(), value };
}

/** Go wraps even a single value in a list. */
function single(node: SyntaxNode | null): SyntaxNode | null {
  if (node?.kind() !== "expression_list") return node;
  const parts = node.namedChildren();
  return parts.length === 1 ? (parts[0] ?? null) : null;
}
