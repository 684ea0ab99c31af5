/** Reads the exported names of a Go file. Other files of its package can declare more. */
import type { Declaration } from "../outline/outline.ts";
import type { CallSignature } from "../exports/export-change.ts";
import { callSignature, type ModuleReader, topLevelOf } from "../exports/module-reader.ts";

const EXPORTED = /^\p{Lu}/u;

export const readGoModule: ModuleReader = (root, outline) => {
  const names = new Map<string, Declaration | null>();
  const calls = new Map<string, CallSignature>();
  for (const [name, declarations] of topLevelOf(outline)) {
    const [only] = declarations;
    if (!EXPORTED.test(name) || only === undefined) continue;
    names.set(name, only);
    const isFunction = only.kind === "function" && only.signature.startsWith("func ");
    const signature = declarations.length === 1 && isFunction ? callSignature(only, only, false) : null;
    if (signature !== null) calls.set(name, signature);
  }
  // `var A, B = 1, 2`
  for (const spec of root.findAll({ rule: { any: [{ kind: "var_spec" }, { kind: "const_spec" }] } })) {
    for (const each of spec.namedChildren())
      if (each.kind() === "identifier" && EXPORTED.test(each.text()) && !names.has(each.text()))
        names.set(each.text(), null);
  }
  const clause = root.namedChildren().find((node) => node.kind() === "package_clause");
  return { names, calls, isOpen: false, package: clause?.namedChildren()[0]?.text() ?? "" };
};
