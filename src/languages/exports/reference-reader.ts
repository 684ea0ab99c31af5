/** Shared by the readers of a file's references. */
import type { ImportFact } from "../file-facts.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { CallArguments, FileReferences, NameUse } from "./export-change.ts";

export type ReferencingFile = { readonly path: string; readonly language: string; readonly text: string };

export type ReferenceReader = (
  root: SyntaxNode,
  file: ReferencingFile,
  wanted: ReadonlySet<string>,
) => FileReferences;

/** References of one name in a file. A file with more is generated. */
export const MAX_USES = 2_000;

export function importFact(
  specifier: string,
  node: SyntaxNode,
  parts: Partial<Pick<ImportFact, "kind" | "names" | "moduleAlias">>,
): ImportFact {
  const line = node.range().start.line + 1;
  return { specifier, kind: "import", names: [], moduleAlias: null, ...parts, line };
}

export function isSamePlace(one: SyntaxNode | null, other: SyntaxNode): boolean {
  if (one === null) return false;
  const [a, b] = [one.range(), other.range()];
  return a.start.index === b.start.index && a.end.index === b.end.index;
}

export function useAt(node: SyntaxNode, member: string | null, call: CallArguments | null): NameUse {
  return { line: node.range().start.line + 1, member, call };
}

/** Code isn't nested more deeply; hostile text is. */
const MAX_DEPTH = 200;

/** True when a node of one of these kinds is around the node. */
export function isInside(
  node: SyntaxNode,
  kinds: RegExp,
  accepts?: (around: SyntaxNode) => boolean,
): boolean {
  let around = node.parent();
  for (let depth = 0; around !== null && depth < MAX_DEPTH; depth++, around = around.parent())
    if (kinds.test(around.kind()) && (accepts?.(around) ?? true)) return true;
  return false;
}
