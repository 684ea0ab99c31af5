/** Go: an import is a folder, and all files of a folder are one package. */
import { containingFolder } from "../../base/containing-folder.ts";
import { fileNameOf } from "../../base/file-name.ts";
import { closestFolder, joinPaths, type FileTree } from "../resolve/file-tree.ts";
import { indexNames, isTopLevel } from "../resolve/names-in-use.ts";
import { MAX_MANIFEST_CHARS } from "../javascript/parse-jsonc.ts";
import {
  type LanguageResolver,
  type Resolution,
  type ResolverInput,
  UNRESOLVED,
} from "../resolve/resolver.ts";

type GoModule = {
  readonly folder: string;
  readonly path: string;
  /** Module path → folder of this repository. */
  readonly replaced: ReadonlyMap<string, string>;
};

export function createGoResolver({ manifests, facts }: ResolverInput, tree: FileTree): LanguageResolver {
  const modules = readModules(manifests);
  const linked = readWorkspace(manifests);
  const packageOf = (path: string): string => `${containingFolder(path)} ${facts.get(path)?.module ?? ""}`;
  const names = indexNames(facts, (path) => (path.endsWith(".go") ? packageOf(path) : null), isTopLevel);
  const resolved = new Map<string, Resolution>();

  function packageFiles(folder: string): readonly string[] {
    return tree.filesIn(folder).filter((path) => path.endsWith(".go") && !path.endsWith("_test.go"));
  }

  function find(root: string | null, specifier: string): Resolution {
    const own = root === null ? undefined : modules.get(root);
    if (own !== undefined && root !== null) {
      for (const [path, folder] of [[own.path, root] as const, ...own.replaced]) {
        const found = inModule(path, folder, specifier);
        if (found !== null) return { paths: found, isExact: true };
      }
      const vendored = packageFiles(root === "" ? `vendor/${specifier}` : `${root}/vendor/${specifier}`);
      if (vendored.length > 0) return { paths: vendored, isExact: true };
    }
    for (const { path, folder } of modules.values()) {
      const found = inModule(path, folder, specifier);
      const isLinked = root !== null && linked.has(root) && linked.has(folder);
      if (found !== null) return { paths: found, isExact: isLinked };
    }
    return UNRESOLVED;
  }

  /** Null when the specifier isn't in the module, or has no files there. */
  function inModule(path: string, folder: string, specifier: string): readonly string[] | null {
    if (specifier !== path && !specifier.startsWith(`${path}/`)) return null;
    const target = joinPaths(folder, specifier.slice(path.length));
    const files = target === null ? [] : packageFiles(target);
    return files.length === 0 ? null : files;
  }

  return {
    resolve(from, { specifier }) {
      if (/^\.{1,2}\//.test(specifier)) {
        const folder = joinPaths(containingFolder(from), specifier);
        return { paths: folder === null ? [] : packageFiles(folder), isExact: true };
      }
      const root = closestFolder(from, modules);
      const key = `${root ?? ""} ${specifier}`;
      const known = resolved.get(key) ?? find(root, specifier);
      resolved.set(key, known);
      return known;
    },
    resolveUnimported: (from) => names.usedIn(packageOf(from), from),
  };
}

function readModules(manifests: ReadonlyMap<string, string>): ReadonlyMap<string, GoModule> {
  const modules = new Map<string, GoModule>();
  for (const [file, text] of manifests) {
    if (fileNameOf(file) !== "go.mod") continue;
    const folder = containingFolder(file);
    const directives = readDirectives(text);
    const path = directives.find(({ verb }) => verb === "module")?.words[0];
    if (path === undefined) continue;
    const replaced = new Map<string, string>();
    for (const { verb, words } of directives) {
      const arrow = words.indexOf("=>");
      const target = words[arrow + 1];
      if (verb !== "replace" || arrow < 1 || target?.startsWith(".") !== true) continue;
      const local = joinPaths(folder, target);
      if (local !== null && words[0] !== undefined) replaced.set(words[0], local);
    }
    modules.set(folder, { folder, path, replaced });
  }
  // The longest path first, since modules can be nested.
  const sorted = [...modules].toSorted(
    ([, a], [, b]) => b.path.length - a.path.length || (a.folder < b.folder ? -1 : 1),
  );
  return new Map(sorted);
}

/** Folders of the modules that a go.work uses together. */
function readWorkspace(manifests: ReadonlyMap<string, string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const [file, text] of manifests) {
    if (fileNameOf(file) !== "go.work") continue;
    for (const { verb, words } of readDirectives(text)) {
      const folder = verb === "use" ? joinPaths(containingFolder(file), words[0] ?? "") : null;
      if (folder !== null) folders.add(folder);
    }
  }
  return folders;
}

type Directive = { readonly verb: string; readonly words: readonly string[] };

/** Lines of go.mod and go.work, also those in the parentheses of a block. */
function readDirectives(text: string): readonly Directive[] {
  const directives: Directive[] = [];
  let block: string | null = null;
  for (const line of text.slice(0, MAX_MANIFEST_CHARS).split("\n")) {
    const comment = line.indexOf("//");
    const words = (comment === -1 ? line : line.slice(0, comment))
      .split(/\s+/)
      .filter((word) => word !== "")
      .map((word) => word.replaceAll(/["`]/g, ""));
    const [first, second] = words;
    if (first === undefined) continue;
    if (first === ")") block = null;
    else if (block !== null) directives.push({ verb: block, words });
    else if (second === "(") block = first;
    else directives.push({ verb: first, words: words.slice(1) });
  }
  return directives;
}
