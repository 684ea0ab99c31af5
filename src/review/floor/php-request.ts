/** Follows a value of the request through a PHP expression to where it ends up, as long as nothing changes it. */
import type { SyntaxNode } from "../../syntax/syntax.ts";

/** What a visitor may set freely. */
export const REQUEST_VARIABLE = /^\$_(?:GET|POST|REQUEST|COOKIE)$/;

/** Reads of the request under a node that reach it unchanged: through joining, choosing and parentheses only. */
export function* rawRequestReads(node: SyntaxNode): Iterable<SyntaxNode> {
  const kind = node.kind();
  if (kind === "subscript_expression") {
    const base = node.namedChildren()[0];
    if (base !== undefined && REQUEST_VARIABLE.test(base.text())) yield node;
    else if (base !== undefined && base.kind() === "subscript_expression") yield* rawRequestReads(base);
    return;
  }
  if (kind === "binary_expression") {
    const operator = node.field("operator")?.text() ?? "";
    if (operator === "." || operator === "??")
      for (const child of node.namedChildren()) yield* rawRequestReads(child);
    return;
  }
  if (kind === "conditional_expression") {
    // The condition only chooses; what it looks at is not passed on.
    for (const child of node.namedChildren().slice(1)) yield* rawRequestReads(child);
    return;
  }
  if (
    /^(?:parenthesized_expression|encapsed_string|heredoc|heredoc_body|sequence_expression|error_suppression_expression)$/.test(
      kind,
    )
  ) {
    for (const child of node.namedChildren()) yield* rawRequestReads(child);
  }
}
