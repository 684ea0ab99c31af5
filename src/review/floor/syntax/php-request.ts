/** Follows a request value through a PHP expression as long as nothing changes it. */
import type { SyntaxNode } from "../../../syntax/syntax.ts";

/** Variables that a client controls. */
export const REQUEST_VARIABLE = /^\$_(?:GET|POST|REQUEST|COOKIE)$/;

/** Request reads that reach a node unchanged: only through concatenation, conditionals and parentheses. */
export function* rawRequestReads(node: SyntaxNode): Iterable<SyntaxNode> {
  // A concatenation of thousands of pieces is an equally deep tree, so the walk doesn't recurse.
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

/** The parts whose value becomes part of the whole. */
function partsOf(node: SyntaxNode): readonly SyntaxNode[] {
  const parts = node.namedChildren();
  switch (node.kind()) {
    case "subscript_expression":
      return parts.slice(0, 1).filter((base) => base.kind() === "subscript_expression");
    case "binary_expression":
      return /^(?:\.|\?\?)$/.test(node.field("operator")?.text() ?? "") ? parts : [];
    case "conditional_expression":
      // The condition's value isn't passed on.
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
