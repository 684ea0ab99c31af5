/** C#: namespaces have no files, so a file depends on those that declare a visible namespace and define a type it names. */
import { appendTo } from "../../base/append-to.ts";
import type { FileFacts } from "../file-facts.ts";
import { type FileTree } from "../resolve/file-tree.ts";
import { indexNames, isNamedType } from "../resolve/names-in-use.ts";
import {
  type LanguageResolver,
  type Resolution,
  type ResolverInput,
  UNRESOLVED,
} from "../resolve/resolver.ts";

/** Partial classes have a few files. */
const MAX_PARTS = 12;

/** Types in types in a type. */
const MAX_NESTING = 2;

export function createCsharpResolver({ facts }: ResolverInput, _tree: FileTree): LanguageResolver {
  const sources = [...facts].filter(([path]) => path.endsWith(".cs"));
  const groupOf = (path: string, { module }: FileFacts): string | null =>
    path.endsWith(".cs") ? (module ?? "") : null;
  const names = indexNames(facts, groupOf, isNamedType);
  const members = indexNames(facts, groupOf, ({ kind }) => kind === "method" || kind === "function");
  const byName = indexTypes(sources);
  const global = [
    ...new Set(sources.flatMap(([, { imports }]) => imports.filter(isGlobal).map((each) => each.specifier))),
  ];

  /** A type, or the type that it's nested in. */
  function resolveType(qualified: string): Resolution {
    let name = qualified;
    for (let depth = 0; depth <= MAX_NESTING; depth++) {
      const paths = byName.get(name);
      if (paths !== undefined)
        return paths.length > MAX_PARTS ? UNRESOLVED : { paths, isExact: paths.length === 1 };
      name = name.slice(0, Math.max(0, name.lastIndexOf(".")));
    }
    return UNRESOLVED;
  }

  return {
    resolve(from, { specifier, names: imported }) {
      if (imported.every((each) => each.name !== "*")) return resolveType(specifier);
      if (names.filesOf(specifier).length === 0) return resolveType(specifier);
      const used = names.usedIn(specifier, from);
      // A namespace may be imported for its extension methods alone.
      return { paths: used.length > 0 ? used : members.usedIn(specifier, from), isExact: false };
    },
    resolveUnimported(from) {
      const file = facts.get(from);
      if (file === undefined) return [];
      const visible = new Set([...enclosingNamespaces(file.module ?? ""), ...global]);
      return [...visible].flatMap((namespace) => names.usedIn(namespace, from));
    },
  };
}

/** `global using` applies to every file of its project. */
function isGlobal({ kind }: FileFacts["imports"][number]): boolean {
  return kind === "re-export";
}

/** A.B.C sees the types of A.B.C, A.B and A. */
function enclosingNamespaces(namespace: string): readonly string[] {
  const parts = namespace.split(".").slice(0, 16);
  return parts.map((_part, index) => parts.slice(0, parts.length - index).join("."));
}

function indexTypes(
  sources: readonly (readonly [string, FileFacts])[],
): ReadonlyMap<string, readonly string[]> {
  const byName = new Map<string, string[]>();
  for (const [path, { module, definitions }] of sources) {
    const types = new Set(definitions.filter(isNamedType).map(({ name }) => name));
    for (const name of types) appendTo(byName, module === null ? name : `${module}.${name}`, path);
  }
  return byName;
}
