/** Finds the file that defines a name another file imports, through files that re-export it. */
import type { FileFacts, ImportFact } from "../file-facts.ts";
import { compareBytes } from "./file-tree.ts";
import { isModuleName, memberPrefix } from "./member-prefix.ts";
import type { Resolver } from "./resolver.ts";

export type CodeFacts = {
  readonly facts: ReadonlyMap<string, FileFacts>;
  readonly resolver: Resolver;
};

/** A name in a file. */
export type FileName = {
  readonly path: string;
  readonly name: string;
};

export type DefinedName = FileName & {
  /** 1 when the name is the file's module. Null when the file is known, but no line defines the name as far as the facts show. */
  readonly line: number | null;
};

export type FoundDefinition = {
  /** In byte order of the paths. Empty: the name isn't imported, comes from another package, or wasn't found. */
  readonly definitions: readonly DefinedName[];
  /** Every step was exact, and a line defines the name. */
  readonly isExact: boolean;
};

/** Barrels of barrels are rarely deeper than four; a cycle ends here too. */
const MAX_HOPS = 10;

/** A barrel that re-exports everything from hundreds of files is searched, but not without end. */
const MAX_VISITED = 2_000;

const NOTHING: FoundDefinition = { definitions: [], isExact: false };

/** `name` is the name in the importing file; `alias.name` for a member of an imported module. */
export function findImportedDefinition({ path, name }: FileName, code: CodeFacts): FoundDefinition {
  const search = createSearch(code);
  const imports = code.facts.get(path)?.imports ?? [];
  return search.inImports(path, name, imports, 0) ?? NOTHING;
}

type Search = {
  /** Null when the file doesn't have the name. */
  inFile(exported: FileName, hops: number): FoundDefinition | null;
  inImports(path: string, name: string, imports: readonly ImportFact[], hops: number): FoundDefinition | null;
};

function createSearch({ facts, resolver }: CodeFacts): Search {
  const visited = new Set<string>();

  function inFile({ path, name }: FileName, hops: number): FoundDefinition | null {
    const key = `${path}\0${name}`;
    if (hops > MAX_HOPS || visited.has(key) || visited.size >= MAX_VISITED) return null;
    visited.add(key);
    const file = facts.get(path);
    if (file === undefined) return null;
    const named = file.definitions.filter((each) => each.name === name);
    const defined =
      named.find((each) => each.kind !== "method") ?? (hasImportedMembers(path) ? named[0] : undefined);
    if (defined !== undefined) {
      return { definitions: [{ path, name, line: defined.line }], isExact: true };
    }
    return inImports(path, name, file.imports, hops) ?? inWildcards(path, name, file.imports, hops);
  }

  function inImports(
    path: string,
    name: string,
    imports: readonly ImportFact[],
    hops: number,
  ): FoundDefinition | null {
    for (const imported of imports) {
      const named = imported.names.find((each) => each.as === name && each.name !== "*");
      // With one name, since each may lead to a file of its own.
      const found =
        named === undefined ? null : inTargets(path, { ...imported, names: [named] }, named.name, hops);
      if (found !== null) return found;
    }
    return /[.:]/.test(name) ? inModules(path, name, imports, hops) : null;
  }

  /** `cart.total`: a name of an imported module. */
  function inModules(
    path: string,
    name: string,
    imports: readonly ImportFact[],
    hops: number,
  ): FoundDefinition | null {
    for (const imported of imports) {
      const { paths, isExact } = resolver.resolve(path, imported);
      const members = paths.flatMap((target) => {
        const prefix = memberPrefix(imported, { path: target, facts: facts.get(target) });
        return prefix !== null && name.startsWith(prefix)
          ? { path: target, name: name.slice(prefix.length) }
          : [];
      });
      const found = inEach(members, hops);
      if (found !== null) return { definitions: found.definitions, isExact: found.isExact && isExact };
    }
    return null;
  }

  /** `import *` and `export * from`: the name may come from any of them. */
  function inWildcards(
    path: string,
    name: string,
    imports: readonly ImportFact[],
    hops: number,
  ): FoundDefinition | null {
    for (const imported of imports) {
      if (!imported.names.some((each) => each.name === "*")) continue;
      const { paths, isExact } = resolver.resolve(path, imported);
      for (const target of paths) {
        const found = inFile({ path: target, name }, hops + 1);
        if (found !== null && found.definitions.some((each) => each.line !== null)) {
          return { definitions: found.definitions, isExact: found.isExact && isExact };
        }
      }
    }
    return null;
  }

  /** In one of the files that an import leads to. Without a line that defines the name, the files themselves are the answer. */
  function inTargets(path: string, imported: ImportFact, name: string, hops: number): FoundDefinition | null {
    const { paths, isExact } = resolver.resolve(path, imported);
    const module = paths.find((target) => isModuleName(name, target));
    if (module !== undefined) {
      const inside = inFile({ path: module, name }, hops + 1);
      return inside ?? { definitions: [{ path: module, name, line: 1 }], isExact };
    }
    const found = inEach(
      paths.map((target) => ({ path: target, name })),
      hops,
    );
    return found === null ? null : { definitions: found.definitions, isExact: found.isExact && isExact };
  }

  function inEach(names: readonly FileName[], hops: number): FoundDefinition | null {
    if (names.length === 0) return null;
    const found = names
      .flatMap((each) => inFile(each, hops + 1) ?? [])
      .filter((each) => each.definitions.length > 0);
    if (found.length === 0)
      return { definitions: names.map((each) => ({ ...each, line: null })), isExact: false };
    return {
      definitions: uniqueDefinitions(found.flatMap((each) => each.definitions)),
      isExact: found.length === 1 && found[0]?.isExact === true,
    };
  }

  return { inFile, inImports };
}

/** Java and Kotlin import methods of classes and of companions. */
function hasImportedMembers(path: string): boolean {
  return /\.(?:java|kt)$/.test(path);
}

function uniqueDefinitions(found: readonly DefinedName[]): readonly DefinedName[] {
  const byKey = new Map(found.map((each) => [`${each.path}\0${each.name}`, each]));
  return [...byKey.values()].toSorted((a, b) => compareBytes(a.path, b.path));
}
