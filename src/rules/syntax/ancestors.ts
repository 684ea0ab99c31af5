/** Looks up the ancestors of a node, cheaply enough for thousands of matches in one file. */
import type { SyntaxNode } from "../../syntax/syntax.ts";

/** The innermost ancestor that matches, or null. It reads no further up than that. */
export function nearestAncestor(
  node: SyntaxNode,
  isWanted: (ancestor: SyntaxNode) => boolean,
): SyntaxNode | null {
  for (let around = node.parent(); around !== null; around = around.parent()) {
    if (isWanted(around)) return around;
  }
  return null;
}

/** Creates a test for whether any ancestor of a node matches. Each ancestor is tested once, no matter how many nodes it contains. */
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
