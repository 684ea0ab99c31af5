/** Finds the role of a name on each line of a file: declared, used, or neither. It reads only the syntax tree. */
import { declarationOf } from "./declaration.ts";
import type { SyntaxNode } from "./syntax.ts";

export type NameRole =
  /** `by`: the kind of its declaration, such as "function_declaration". */
  { readonly kind: "declaration"; readonly by: string } | { readonly kind: "use" };

/** By line, starting at 1. On the same line, a declaration takes precedence over a use. `name` is a single identifier. */
export function nameRoles(tree: SyntaxNode, name: string): ReadonlyMap<number, NameRole> {
  const roles = new Map<number, NameRole>();
  for (const node of tree.findAll({ rule: { regex: `^${name.replaceAll("$", "\\$")}$` } })) {
    if (node.children().length > 0) continue;
    const line = node.range().start.line + 1;
    const by = declarationOf(node);
    if (by !== null) roles.set(line, { kind: "declaration", by });
    else if (!roles.has(line)) roles.set(line, { kind: "use" });
  }
  return roles;
}
