/** How a project comes to need a package: the shortest way from a direct dependency. */
import type { ComparedFile } from "./read-pair.ts";
import type { DependencyFile, Listed } from "./ecosystem.ts";
import { folderOf } from "./governing-lock.ts";
import type { PackageChange } from "./package-change.ts";
import { versionOf } from "./pair-versions.ts";

/** Twice the longest chain of a real project. A lockfile can have a chain of all its packages, which would be repeated for each. */
const MAX_CHAIN_NAMES = 40;

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
      const walk = walkOf(lock, side, file);
      const entries = (walk.reached.get(name) ?? []).filter((entry) => versionOf(entry) === version);
      return entries.map((entry) => ({ walk, entry, depth: walk.steps.get(entry)?.depth ?? 0 }));
    });
    const [shortest] = chains.toSorted((one, other) => one.depth - other.depth);
    return shortest === undefined ? [] : chainOf(shortest.entry, shortest.walk);
  };
}

type Walk = {
  readonly reached: ReadonlyMap<string, readonly Listed[]>;
  readonly steps: ReadonlyMap<Listed, Step>;
};

/** How an entry is reached first. */
type Step = {
  /** Null for direct ones. */
  readonly parent: Listed | null;
  /** The first name of its chain. */
  readonly first: string;
  /** The number of names in its chain. */
  readonly depth: number;
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
  const steps = new Map<Listed, Step>();
  const queue: (Listed | null)[] = [null];
  for (const entry of queue) {
    const needs = needsOf?.(entry) ?? [];
    const above = entry === null ? undefined : steps.get(entry);
    for (const needed of entry === null ? [...onlyVersions(listed, requested), ...needs] : needs) {
      if (steps.has(needed)) continue;
      // A package of the repository itself is where the way begins, not a part of it.
      const isNamed = needed.origin.kind !== "local";
      const depth = (above?.depth ?? 0) + (isNamed ? 1 : 0);
      const first = above === undefined || above.depth === 0 ? needed.name : above.first;
      steps.set(needed, { parent: entry, first, depth });
      queue.push(needed);
    }
  }
  return { reached: Map.groupBy(steps.keys(), ({ name }) => name), steps };
}

/** Made of one step per package when it is wanted. */
function chainOf(entry: Listed, { steps }: Walk): readonly string[] {
  const names: string[] = [];
  const { first, depth } = steps.get(entry) ?? { first: entry.name, depth: 0 };
  let at: Listed | null = entry;
  while (at !== null && names.length < MAX_CHAIN_NAMES) {
    if (at.origin.kind !== "local") names.push(at.name);
    at = steps.get(at)?.parent ?? null;
  }
  return (depth > names.length ? [...names.slice(0, -2), "…", first] : names).reverse();
}
