/** PHP: classes are loaded by Composer's rules from their namespaces. */
import { appendTo } from "../../base/append-to.ts";
import { containingFolder } from "../../base/containing-folder.ts";
import { fileNameOf } from "../../base/file-name.ts";
import { type JsonTable, tableOf, textOf } from "../../base/documents/json-file.ts";
import type { FileFacts } from "../file-facts.ts";
import { joinPaths, type FileTree } from "../resolve/file-tree.ts";
import { indexNames, isTopLevel } from "../resolve/names-in-use.ts";
import { parseJsonc } from "../javascript/parse-jsonc.ts";
import {
  type LanguageResolver,
  type Resolution,
  type ResolverInput,
  UNRESOLVED,
} from "../resolve/resolver.ts";

type Prefix = {
  /** With a backslash at the end; "" for all. */
  readonly namespace: string;
  readonly folder: string;
  /** PSR-0 keeps the namespace below the folder, and makes folders of underscores. */
  readonly isPsr0: boolean;
};

/** The same class in fixtures. */
const MAX_COPIES = 4;

export function createPhpResolver({ manifests, facts }: ResolverInput, tree: FileTree): LanguageResolver {
  const prefixes = readPrefixes(manifests);
  const sources = [...facts].filter(([path]) => path.endsWith(".php"));
  const byName = indexDeclared(sources);
  const names = indexNames(
    facts,
    (path, { module }) => (path.endsWith(".php") ? (module ?? "") : null),
    isTopLevel,
  );

  function findByComposer(qualified: string): string | null {
    for (const { namespace, folder, isPsr0 } of prefixes) {
      if (!qualified.startsWith(namespace)) continue;
      const path = joinPaths(folder, isPsr0 ? psr0Path(qualified) : psr4Path(qualified, namespace));
      if (path !== null && tree.hasFile(path)) return path;
    }
    return null;
  }

  function resolveName(qualified: string): Resolution {
    const path = findByComposer(qualified);
    if (path !== null) return { paths: [path], isExact: true };
    const declared = byName.get(qualified);
    if (declared === undefined || declared.length > MAX_COPIES) return UNRESOLVED;
    return { paths: declared, isExact: false };
  }

  function resolveInclude(from: string, specifier: string): Resolution {
    const near = joinPaths(containingFolder(from), specifier);
    if (near !== null && tree.hasFile(near)) return { paths: [near], isExact: true };
    const far = joinPaths("", specifier);
    return far !== null && tree.hasFile(far) ? { paths: [far], isExact: false } : UNRESOLVED;
  }

  return {
    resolve(from, { specifier, kind, names: imported }) {
      if (kind === "include") return resolveInclude(from, specifier);
      const name = specifier.replace(/^\\/, "");
      const found = resolveName(name);
      if (found.paths.length > 0 || imported.length > 1) return found;
      // `use A\B;` and then `B\C` in the code.
      return { paths: names.usedIn(name, from), isExact: false };
    },
    resolveUnimported(from) {
      const namespace = facts.get(from)?.module;
      return namespace == null ? [] : names.usedIn(namespace, from);
    },
  };
}

function psr4Path(qualified: string, namespace: string): string {
  return `${qualified.slice(namespace.length).replaceAll("\\", "/")}.php`;
}

function psr0Path(qualified: string): string {
  const slash = qualified.lastIndexOf("\\") + 1;
  return `${qualified.slice(0, slash).replaceAll("\\", "/")}${qualified.slice(slash).replaceAll("_", "/")}.php`;
}

/** The longest namespace first. */
function readPrefixes(manifests: ReadonlyMap<string, string>): readonly Prefix[] {
  const prefixes: Prefix[] = [];
  for (const [path, text] of manifests) {
    if (fileNameOf(path) !== "composer.json") continue;
    const manifest = parseJsonc(text);
    for (const section of ["autoload", "autoload-dev"]) {
      const autoload = tableOf(manifest?.[section]);
      if (autoload !== null) prefixes.push(...readSection(autoload, containingFolder(path)));
    }
  }
  return prefixes.toSorted((a, b) => b.namespace.length - a.namespace.length);
}

function readSection(autoload: JsonTable, root: string): readonly Prefix[] {
  return ["psr-4", "psr-0"].flatMap((standard) =>
    Object.entries(tableOf(autoload[standard]) ?? {}).flatMap(([namespace, value]) =>
      (Array.isArray(value) ? value : [value]).flatMap((each: unknown) => {
        const folder = typeof each === "string" ? joinPaths(root, textOf(each) ?? ".") : null;
        return folder === null ? [] : { namespace, folder, isPsr0: standard === "psr-0" };
      }),
    ),
  );
}

function indexDeclared(
  sources: readonly (readonly [string, FileFacts])[],
): ReadonlyMap<string, readonly string[]> {
  const byName = new Map<string, string[]>();
  for (const [path, { module, definitions }] of sources) {
    const prefix = module === null || module === "" ? "" : `${module}\\`;
    for (const name of new Set(definitions.filter(isTopLevel).map((each) => each.name))) {
      appendTo(byName, `${prefix}${name}`, path);
    }
  }
  return byName;
}
