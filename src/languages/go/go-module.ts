/** Reads the names of a Go file that other files of its package can use, exported or not. Those files can declare more. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { Declaration } from "../outline/outline.ts";
import type { CallSignature } from "../exports/export-change.ts";
import { callSignature, type ModuleReader, topLevelOf } from "../exports/module-reader.ts";

/** Other packages can use it too. */
export const EXPORTED_IN_GO = /^\p{Lu}/u;

/** Names that code can't refer to, or that each file may declare. */
const UNUSABLE = /^(?:_|init|main)$/;

export const readGoModule: ModuleReader = (root, outline) => {
  const names = new Map<string, Declaration | null>();
  const calls = new Map<string, CallSignature>();
  for (const [name, declarations] of topLevelOf(outline)) {
    const [only] = declarations;
    if (UNUSABLE.test(name) || only === undefined) continue;
    names.set(name, only);
    const isFunction = only.kind === "function" && only.signature.startsWith("func ");
    const signature = declarations.length === 1 && isFunction ? callSignature(only, only, false) : null;
    if (signature !== null) calls.set(name, signature);
  }
  // `var A, B = 1, 2`
  for (const spec of root.findAll({ rule: { any: [{ kind: "var_spec" }, { kind: "const_spec" }] } })) {
    if (!isTopLevelSpec(spec)) continue;
    for (const each of spec.namedChildren())
      if (each.kind() === "identifier" && !UNUSABLE.test(each.text()) && !names.has(each.text()))
        names.set(each.text(), null);
  }
  const clause = root.namedChildren().find((node) => node.kind() === "package_clause");
  return { names, calls, isOpen: false, package: clause?.namedChildren()[0]?.text() ?? "" };
};

/** In the file, in a declaration, or in its list. */
const MAX_STEPS = 3;

export function isTopLevelSpec(node: SyntaxNode): boolean {
  let around = node.parent();
  for (let step = 0; step < MAX_STEPS && around !== null; step++, around = around.parent()) {
    if (around.kind() === "source_file") return true;
    if (around.kind() === "block") return false;
  }
  return false;
}
