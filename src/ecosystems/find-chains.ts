/** How a project comes to need a package: the shortest way from a direct dependency. */
import type { ComparedFile, OpenedFile } from "./read-pair.ts";
import type { Listed } from "./ecosystem.ts";
import { folderOf } from "./governing-lock.ts";
import type { PackageChange } from "./package-change.ts";
import { versionOf } from "./pair-versions.ts";

/** Twice the longest chain of a real project. A lockfile can have a chain of all its packages, which would be repeated for each. */
const MAX_CHAIN_NAMES = 40;

type Target = Pick<PackageChange, "ecosystem" | "name" | "from" | "to">;

/** Finds the names from a direct dependency to a package; none when no lockfile knows. Each lockfile is walked at most once. */
export function createChainFinder(files: readonly ComparedFile[]): (target: Target) => readonly string[] {
  const walks = new Map<OpenedFile, Walk>();
  const walkOf = (lock: ComparedFile, side: "base" | "head", file: OpenedFile): Walk => {
    const walk = walks.get(file) ?? walkFrom(file, requestedNames(files, lock, side));
    walks.set(file, walk);
    return walk;
  };
  return ({ ecosystem, name, from, to }) => {
    const version = (to ?? from)?.version;
    const side = to === null ? "base" : "head";
    const chains = files.flatMap((lock) => {
      const file = lock[side];
      if (lock.format.ecosystem !== ecosystem || file === null || file.needsAt === null) return [];
      const walk = walkOf(lock, side, file);
      const indexes = walk.reached.get(name) ?? [];
      return indexes.flatMap((index) => {
        const entry = file.listed[index];
        if (entry === undefined || versionOf(entry) !== version) return [];
        return [{ walk, index, depth: walk.depths[index] ?? 0 }];
      });
    });
    const [shortest] = chains.toSorted((one, other) => one.depth - other.depth);
    return shortest === undefined ? [] : chainOf(shortest.index, shortest.walk);
  };
}

/** How each entry is reached first. Entries are indexes of `listed`, because large lockfiles have many. */
type Walk = {
  readonly listed: readonly Listed[];
  /** By name, the nearest first. */
  readonly reached: ReadonlyMap<string, readonly number[]>;
  /** The entry that needs it: the length of `listed` for the project itself, or UNREACHED. */
  readonly parents: Int32Array;
  /** The entry with the first name of its chain. */
  readonly firsts: Int32Array;
  /** The number of names in its chain. */
  readonly depths: Int32Array;
};

const UNREACHED = -1;

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
function onlyVersions(listed: readonly Listed[], names: ReadonlySet<string>): readonly number[] {
  if (names.size === 0) return [];
  const found = new Map<string, number | null>();
  for (const [index, { name }] of listed.entries()) {
    if (names.has(name)) found.set(name, found.has(name) ? null : index);
  }
  return [...found.values()].filter((index) => index !== null);
}

/** Breadth first, so that the first way to an entry is a shortest one. */
function walkFrom({ listed, needsAt }: OpenedFile, requested: ReadonlySet<string>): Walk {
  const project = listed.length;
  const parents = new Int32Array(project).fill(UNREACHED);
  const [firsts, depths] = [new Int32Array(project), new Int32Array(project)];
  const queue: number[] = [];
  const reach = (index: number, parent: number): void => {
    const entry = listed[index];
    if (entry === undefined || parents[index] !== UNREACHED) return;
    const above = depths[parent] ?? 0;
    // A package of the repository itself is where the way begins, not a part of it.
    depths[index] = above + (entry.origin.kind === "local" ? 0 : 1);
    firsts[index] = above === 0 ? index : (firsts[parent] ?? index);
    parents[index] = parent;
    queue.push(index);
  };
  for (const index of onlyVersions(listed, requested)) reach(index, project);
  for (const index of needsAt?.(project) ?? []) reach(index, project);
  for (const index of queue) {
    for (const needed of needsAt?.(index) ?? []) reach(needed, index);
  }
  return {
    listed,
    reached: Map.groupBy(queue, (index) => listed[index]?.name ?? ""),
    parents,
    firsts,
    depths,
  };
}

/** Made of one step per package when it is wanted. */
function chainOf(index: number, { listed, parents, firsts, depths }: Walk): readonly string[] {
  const names: string[] = [];
  let at = index;
  for (let entry = listed[at]; entry !== undefined && names.length < MAX_CHAIN_NAMES; entry = listed[at]) {
    if (entry.origin.kind !== "local") names.push(entry.name);
    at = parents[at] ?? UNREACHED;
  }
  const isLong = (depths[index] ?? 0) > names.length;
  const first = listed[firsts[index] ?? index]?.name ?? "";
  return (isLong ? [...names.slice(0, -2), "…", first] : names).reverse();
}
