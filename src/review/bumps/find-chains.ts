/** How a project comes to need a package: the shortest way from a direct dependency. */
import type { ComparedFile } from "./compare-files.ts";
import type { DependencyFile, Listed } from "./ecosystem.ts";
import { folderOf } from "./governing-lock.ts";
import type { PackageChange } from "./package-change.ts";
import { versionOf } from "./pair-versions.ts";

type Target = Pick<PackageChange, "ecosystem" | "name" | "from" | "to">;

/** Finds the names from a direct dependency to a package; none when no lockfile knows. Each lockfile is walked at most once. */
export function createChainFinder(files: readonly ComparedFile[]): (target: Target) => readonly string[] {
  const walks = new Map<DependencyFile, Walk>();
  const walkOf = (lock: ComparedFile, side: "base" | "head", file: DependencyFile): Walk => {
    const walk = walks.get(file) ?? walkFrom(file, requestedNames(files, lock, side));
    walks.set(file, walk);
    return walk;
  };
  return ({ ecosystem, name, from, to }) => {
    const version = (to ?? from)?.version;
    const side = to === null ? "base" : "head";
    const chains = files.flatMap((lock) => {
      const file = lock[side];
      if (lock.format.ecosystem !== ecosystem || file === null || file.needsOf === null) return [];
      const { reached, parents } = walkOf(lock, side, file);
      const entries = (reached.get(name) ?? []).filter((entry) => versionOf(entry) === version);
      return entries.map((entry) => chainOf(entry, parents));
    });
    return chains.toSorted((one, other) => one.length - other.length)[0] ?? [];
  };
}

type Walk = {
  readonly reached: ReadonlyMap<string, readonly Listed[]>;
  /** The entry through which each entry is reached first; null for direct ones. */
  readonly parents: ReadonlyMap<Listed, Listed | null>;
};

/** The names that the manifests of a lockfile list themselves. Some lockfiles don't record them. */
function requestedNames(
  files: readonly ComparedFile[],
  lock: ComparedFile,
  side: "base" | "head",
): ReadonlySet<string> {
  const manifests = files.filter(
    ({ path, format }) =>
      format.kind === "manifest" &&
      format.ecosystem === lock.format.ecosystem &&
      folderOf(path).startsWith(folderOf(lock.path)),
  );
  const entries = manifests.flatMap((manifest) => manifest[side]?.listed ?? []);
  return new Set(entries.filter(({ isIndirect }) => isIndirect !== true).map(({ name }) => name));
}

/** Of several versions with one name, only the lockfile can say which is requested. */
function onlyVersions(listed: readonly Listed[], names: ReadonlySet<string>): readonly Listed[] {
  if (names.size === 0) return [];
  const found = new Map<string, Listed | null>();
  for (const entry of listed) {
    if (names.has(entry.name)) found.set(entry.name, found.has(entry.name) ? null : entry);
  }
  return [...found.values()].filter((entry) => entry !== null);
}

/** Breadth first, so that the first way to an entry is a shortest one. */
function walkFrom({ listed, needsOf }: DependencyFile, requested: ReadonlySet<string>): Walk {
  const reached = new Map<string, Listed[]>();
  const parents = new Map<Listed, Listed | null>();
  const queue: (Listed | null)[] = [null];
  for (const entry of queue) {
    const needs = needsOf?.(entry) ?? [];
    for (const needed of entry === null ? [...onlyVersions(listed, requested), ...needs] : needs) {
      if (parents.has(needed)) continue;
      parents.set(needed, entry);
      queue.push(needed);
      const known = reached.get(needed.name);
      if (known === undefined) reached.set(needed.name, [needed]);
      else known.push(needed);
    }
  }
  return { reached, parents };
}

/** A package of the repository itself is where the way begins, not a part of it. */
function chainOf(entry: Listed, parents: Walk["parents"]): readonly string[] {
  const names: string[] = [];
  for (let at: Listed | null = entry; at !== null; at = parents.get(at) ?? null) {
    if (at.origin.kind !== "local") names.push(at.name);
  }
  return names.reverse();
}
