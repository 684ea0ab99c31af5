/** Questions about what is around a node, asked at thousands of matches of one file. */
import type { SyntaxNode } from "../../../syntax/syntax.ts";

/** The innermost ancestor that is wanted, or null. Reads no further up than that. */
export function nearestAncestor(
  node: SyntaxNode,
  isWanted: (ancestor: SyntaxNode) => boolean,
): SyntaxNode | null {
  for (let around = node.parent(); around !== null; around = around.parent()) {
    if (isWanted(around)) return around;
  }
  return null;
}

/** Tells whether any ancestor of a node is wanted. Each ancestor is judged once, however many nodes are inside it. */
export function createAncestorTest(
  isWanted: (ancestor: SyntaxNode) => boolean,
): (node: SyntaxNode) => boolean {
  const known = new Map<SyntaxNode, boolean>();
  return (node) => {
    const path: SyntaxNode[] = [];
    let answer = false;
    for (let around = node.parent(); around !== null; around = around.parent()) {
      const before = known.get(around);
      answer = before ?? isWanted(around);
      if (before !== undefined) break;
      path.push(around);
      if (answer) break;
    }
    for (const ancestor of path) known.set(ancestor, answer);
    return answer;
  };
}
