/** The text in front of a module's names in a file that imports the module: "cart." in `cart.total()`. */
import { containingFolder } from "../../base/containing-folder.ts";
import { fileNameOf } from "../../base/file-name.ts";
import type { FileFacts, ImportFact } from "../file-facts.ts";
import { stemOf } from "./file-tree.ts";

/** Null when the import brings names of the file, but not the file itself. */
export function memberPrefix(
  { kind, names, moduleAlias }: ImportFact,
  target: { readonly path: string; readonly facts: FileFacts | undefined },
): string | null {
  if (kind === "include" || kind === "system") return null;
  const separator = target.path.endsWith(".rs") ? "::" : ".";
  if (moduleAlias !== null) return `${moduleAlias}${separator}`;
  // `from shop import cart` and `use crate::shop::cart` bring a module by its name.
  const submodule = names.find((each) => isModuleName(each.name, target.path));
  if (submodule !== undefined) return `${submodule.as}${separator}`;
  // Go names a package by its declaration.
  const isGo = names.length === 0 && target.path.endsWith(".go");
  return isGo && target.facts?.module != null ? `${target.facts.module}.` : null;
}

/** Whether a name that Python or Rust code imports is the module of this file. */
export function isModuleName(name: string, path: string): boolean {
  return /\.(?:pyi?|rs)$/.test(path) && moduleNameOf(path) === name;
}

function moduleNameOf(path: string): string {
  const stem = stemOf(path);
  return stem === "__init__" || stem === "mod" ? fileNameOf(containingFolder(path)) : stem;
}
