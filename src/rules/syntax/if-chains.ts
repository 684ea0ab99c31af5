/** The branches of `if … else if … else` in every language in one shape. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { unwrapped } from "./operands.ts";

export type Branch = {
  /** Without its parentheses; null for the final `else`. */
  readonly condition: SyntaxNode | null;
  readonly body: SyntaxNode;
};

const KINDS: Readonly<Record<string, string>> = { rust: "if_expression", ruby: "if" };

/** A longer chain is generated. */
const MAX_BRANCHES = 60;

/** Every chain of a tree from its first `if`. Chains with a statement before a condition (`if v := f(); v`) are left out. */
export function ifChainsIn(root: SyntaxNode, language: string): readonly (readonly Branch[])[] {
  const chains: (readonly Branch[])[] = [];
  for (const node of root.findAll({ rule: { kind: KINDS[language] ?? "if_statement" } })) {
    if (isContinuation(node)) continue;
    const chain = branchesFrom(node);
    if (chain !== null) chains.push(chain);
  }
  return chains;
}

/** True for an `if` directly after an `else`. Ruby's `else` is a list of statements. */
function isContinuation(node: SyntaxNode): boolean {
  return node.prev()?.kind() === "else" && node.parent()?.kind() !== "else";
}

function branchesFrom(first: SyntaxNode): readonly Branch[] | null {
  const branches: Branch[] = [];
  return collect(first, branches) ? branches : null;
}

/** Adds the branches from a node on. False: the chain can't be compared. */
function collect(node: SyntaxNode, branches: Branch[]): boolean {
  if (branches.length > MAX_BRANCHES) return false;
  if (node.kind() === "else_clause") {
    const inner = node.namedChildren().findLast((child) => !child.kind().includes("comment"));
    return inner !== undefined && collect(inner, branches);
  }
  if (!/^(?:if_statement|if_expression|if|elsif|else_if_clause)$/.test(node.kind())) {
    branches.push({ condition: null, body: node });
    return true;
  }
  const condition = node.field("condition");
  const body = node.field("consequence") ?? node.field("body");
  if (condition === null || body === null || node.field("initializer") !== null) return false;
  if (condition.kind().startsWith("let_")) return false;
  branches.push({ condition: unwrapped(condition), body });
  const clauses = node.namedChildren().filter((child) => /^(?:else(?:_if)?_clause)$/.test(child.kind()));
  const alternative = node.field("alternative");
  const rest = clauses.length > 0 || alternative === null ? clauses : [alternative];
  return rest.every((next) => collect(next, branches));
}
