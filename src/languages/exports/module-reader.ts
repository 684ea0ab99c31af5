/** Shared by the readers of a module's exports. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { Declaration, Outline } from "../outline/outline.ts";
import type { CallSignature, ModuleExports } from "./export-change.ts";

export type ModuleReader = (
  root: SyntaxNode,
  outline: Outline,
  file: { readonly path: string; readonly text: string },
) => ModuleExports;

/** Top-level declarations by name. */
export function topLevelOf(outline: Outline): ReadonlyMap<string, readonly Declaration[]> {
  return Map.groupBy(
    outline.filter(({ containers }) => containers.length === 0),
    ({ name }) => name,
  );
}

export function callSignature(
  declaration: Declaration | undefined,
  shown: Declaration,
  isClass: boolean,
): CallSignature | null {
  if (declaration === undefined || declaration.parameters === null) return null;
  const text = isClass ? `${shown.signature}: ${declaration.signature}` : shown.signature;
  return { parameters: declaration.parameters, isClass, text };
}

/** The only constructor of a class in the file; undefined when there is none or several. */
export function constructorOf(outline: Outline, className: string, name: string): Declaration | undefined {
  const found = outline.filter(
    (each) => each.name === name && each.containers.length === 1 && each.containers[0] === className,
  );
  return found.length === 1 ? found[0] : undefined;
}
