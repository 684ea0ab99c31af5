/** Follows a value of the request through a PHP expression to where it ends up, as long as nothing changes it. */
import type { SyntaxNode } from "../../../syntax/syntax.ts";

/** What a visitor may set freely. */
export const REQUEST_VARIABLE = /^\$_(?:GET|POST|REQUEST|COOKIE)$/;

/** Reads of the request under a node that reach it unchanged: through joining, choosing and parentheses only. */
export function* rawRequestReads(node: SyntaxNode): Iterable<SyntaxNode> {
  // A text joined from thousands of pieces is a tree as deep: it is walked without recursion.
  const open = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isRead(next)) yield next;
    else for (const part of partsOf(next).toReversed()) open.push(part);
  }
}

function isRead(node: SyntaxNode): boolean {
  return (
    node.kind() === "subscript_expression" && REQUEST_VARIABLE.test(node.namedChildren()[0]?.text() ?? "")
  );
}

/** The parts whose value reaches that of the whole. */
function partsOf(node: SyntaxNode): readonly SyntaxNode[] {
  const parts = node.namedChildren();
  switch (node.kind()) {
    case "subscript_expression":
      return parts.slice(0, 1).filter((base) => base.kind() === "subscript_expression");
    case "binary_expression":
      return /^(?:\.|\?\?)$/.test(node.field("operator")?.text() ?? "") ? parts : [];
    case "conditional_expression":
      // The condition only chooses; what it looks at is not passed on.
      return parts.slice(1);
    case "parenthesized_expression":
    case "encapsed_string":
    case "heredoc":
    case "heredoc_body":
    case "sequence_expression":
    case "error_suppression_expression":
      return parts;
    default:
      return [];
  }
}
