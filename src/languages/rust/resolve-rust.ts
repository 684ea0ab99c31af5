/** Rust: paths walk the tree of modules that `mod` declarations make of files. */
import { containingFolder } from "../../base/containing-folder.ts";
import { fileNameOf } from "../../base/file-name.ts";
import type { FileFacts, ImportFact } from "../file-facts.ts";
import { closestFolder, joinPaths, stemOf, type FileTree } from "../resolve/file-tree.ts";
import {
  type LanguageResolver,
  type Resolution,
  type ResolverInput,
  UNRESOLVED,
} from "../resolve/resolver.ts";
import { inCode, readCrates } from "./rust-crates.ts";

/** `super::super::…` and nested modules are rarely deeper than six. */
const MAX_SEGMENTS = 32;

type Start = { readonly file: string; readonly rest: readonly string[]; readonly isExact: boolean };
type Walked = { readonly file: string; readonly rest: readonly string[] };

export function createRustResolver({ manifests, facts }: ResolverInput, tree: FileTree): LanguageResolver {
  const crates = readCrates(manifests, tree);
  const declared = new Map<string, ReadonlyMap<string, string>>();
  const parents = readParents();

  /** Modules that a file declares: their names and files. */
  function childrenOf(file: string): ReadonlyMap<string, string> {
    const known = declared.get(file);
    if (known !== undefined) return known;
    const children = new Map<string, string>();
    for (const imported of facts.get(file)?.imports ?? []) {
      if (imported.kind !== "module") continue;
      const name = moduleNameOf(imported);
      const path = findModule(file, imported.specifier);
      if (path !== null && !children.has(name)) children.set(name, path);
    }
    declared.set(file, children);
    return children;
  }

  function findModule(file: string, specifier: string): string | null {
    if (specifier.endsWith(".rs")) {
      const path = joinPaths(containingFolder(file), specifier);
      return path !== null && tree.hasFile(path) ? path : null;
    }
    const folder = moduleFolder(file);
    const base = folder === "" ? specifier : `${folder}/${specifier}`;
    return [`${base}.rs`, `${base}/mod.rs`].find((path) => tree.hasFile(path)) ?? null;
  }

  /** The folder of a file's modules. */
  function moduleFolder(file: string): string {
    const name = fileNameOf(file);
    if (crates.roots.has(file) || name === "mod.rs" || name === "lib.rs" || name === "main.rs")
      return containingFolder(file);
    const folder = containingFolder(file);
    return folder === "" ? stemOf(file) : `${folder}/${stemOf(file)}`;
  }

  function readParents(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const path of facts.keys()) {
      if (!path.endsWith(".rs")) continue;
      for (const child of childrenOf(path).values()) if (!found.has(child)) found.set(child, path);
    }
    return found;
  }

  /** By its declaration, otherwise by the folders. */
  function parentOf(file: string): string | null {
    const known = parents.get(file);
    if (known !== undefined) return known;
    if (crates.roots.has(file)) return null;
    const folder =
      fileNameOf(file) === "mod.rs" ? containingFolder(containingFolder(file)) : containingFolder(file);
    const names =
      folder === ""
        ? ["lib.rs", "main.rs"]
        : [`${folder}/mod.rs`, `${folder}.rs`, `${folder}/lib.rs`, `${folder}/main.rs`];
    return names.find((path) => path !== file && tree.hasFile(path)) ?? null;
  }

  function rootOf(file: string): string | null {
    let at = file;
    for (let steps = 0; steps < MAX_SEGMENTS; steps++) {
      const parent = parentOf(at);
      if (parent === null) break;
      at = parent;
    }
    if (crates.roots.has(at)) return at;
    const folder = closestFolder(file, crates.byFolder);
    return folder === null ? at : (crates.byFolder.get(folder)?.library ?? at);
  }

  function libraryNamed(from: string, name: string): string | null {
    const folder = closestFolder(from, crates.byFolder);
    const own = folder === null ? undefined : crates.byFolder.get(folder);
    return crates.byName.get(own?.renamed.get(name) ?? inCode(name))?.library ?? null;
  }

  function startOf(from: string, segments: readonly string[]): Start | null {
    const [first = "", ...rest] = segments;
    if (first === "crate" || first === "$crate") {
      const root = rootOf(from);
      return root === null ? null : { file: root, rest, isExact: true };
    }
    if (first === "self") return { file: from, rest, isExact: true };
    if (first === "super") {
      const parent = parentOf(from);
      if (parent === null) return null;
      return rest[0] === "super" ? startOf(parent, rest) : { file: parent, rest, isExact: true };
    }
    if (childrenOf(from).has(first)) return { file: from, rest: segments, isExact: true };
    const library = libraryNamed(from, first);
    if (library !== null) return { file: library, rest, isExact: true };
    // In the 2015 edition paths start at the root of the crate.
    const root = rootOf(from);
    return root !== null && childrenOf(root).has(first)
      ? { file: root, rest: segments, isExact: false }
      : null;
  }

  /** As far as modules go: the rest are items of the file. */
  function walk({ file, rest }: Walked): Walked {
    let at = file;
    for (const [index, segment] of rest.entries()) {
      const child = childrenOf(at).get(segment);
      if (child === undefined) return { file: at, rest: rest.slice(index) };
      at = child;
    }
    return { file: at, rest: [] };
  }

  function resolveUse(from: string, { specifier, names }: ImportFact): Resolution {
    const segments = specifier
      .split("::")
      .map((part) => part.trim())
      .filter((part) => part !== "");
    const start = segments.length > MAX_SEGMENTS ? null : startOf(from, segments);
    if (start === null) return UNRESOLVED;
    const { file, rest } = walk(start);
    const isKnown = rest.length === 0 || definesName(facts.get(file), rest[0] ?? "");
    const paths = new Set<string>(names.length === 0 ? [file] : []);
    for (const { name } of names) paths.add(rest.length === 0 ? (childrenOf(file).get(name) ?? file) : file);
    return { paths: [...paths], isExact: start.isExact && isKnown };
  }

  return {
    resolve(from, imported) {
      if (imported.kind !== "module") return resolveUse(from, imported);
      const path = findModule(from, imported.specifier);
      return path === null ? UNRESOLVED : { paths: [path], isExact: true };
    },
    resolveUnimported: null,
  };
}

function moduleNameOf({ specifier, moduleAlias }: ImportFact): string {
  return moduleAlias ?? (specifier.endsWith(".rs") ? stemOf(specifier) : specifier);
}

function definesName(file: FileFacts | undefined, name: string): boolean {
  return file?.definitions.some((each) => each.name === name) === true;
}
