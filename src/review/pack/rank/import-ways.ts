/** The ways through imports between changed files and the others: how far, in which direction, and from how many changed files. */
import type { ImportGraph } from "../../../languages/resolve/resolver.ts";

export type ImportWay = {
  /** `dependency`: the changed file needs this one. `dependent`: this one needs the changed file. The closer of both. */
  readonly relation: "dependency" | "dependent";
  /** Imports on the shortest way, which goes in one direction only. */
  readonly distance: number;
  /** How many changed files have a way to this one, in either direction. */
  readonly frequency: number;
};

/** Changed files whose ways are followed at once: one for each bit of a number. */
const BITS = 31;

/** Files without a way are missing. */
export function findImportWays(
  { dependencies, dependents }: ImportGraph,
  changedPaths: readonly string[],
): ReadonlyMap<string, ImportWay> {
  const down = distancesFrom(changedPaths, dependencies);
  const up = distancesFrom(changedPaths, dependents);
  const frequencies = new Map<string, number>();
  for (let start = 0; start < changedPaths.length; start += BITS) {
    const some = changedPaths.slice(start, start + BITS);
    const reached = reachFrom(some, dependencies);
    for (const [path, bits] of reachFrom(some, dependents))
      reached.set(path, (reached.get(path) ?? 0) | bits);
    for (const [path, bits] of reached) frequencies.set(path, (frequencies.get(path) ?? 0) + countBits(bits));
  }
  const ways = new Map<string, ImportWay>();
  for (const [path, frequency] of frequencies) {
    const below = down.get(path) ?? Infinity;
    const above = up.get(path) ?? Infinity;
    const relation = below <= above ? "dependency" : "dependent";
    ways.set(path, { relation, distance: Math.min(below, above), frequency });
  }
  return ways;
}

export function neighborsOf({ dependencies, dependents }: ImportGraph, path: string): ReadonlySet<string> {
  return new Set([...(dependencies.get(path) ?? []), ...(dependents.get(path) ?? [])]);
}

type Edges = ReadonlyMap<string, ReadonlySet<string>>;

function distancesFrom(sources: readonly string[], edges: Edges): ReadonlyMap<string, number> {
  const distances = new Map(sources.map((path) => [path, 0]));
  // A map iterates over what is added meanwhile, so it is its own queue.
  for (const [path, distance] of distances) {
    for (const next of edges.get(path) ?? []) {
      if (!distances.has(next)) distances.set(next, distance + 1);
    }
  }
  return distances;
}

/** Which of the sources reach each file, as a bit for each. */
function reachFrom(sources: readonly string[], edges: Edges): Map<string, number> {
  const reached = new Map(sources.map((path, bit) => [path, 1 << bit]));
  let front = new Set(sources);
  while (front.size > 0) {
    const next = new Set<string>();
    for (const path of front) {
      const bits = reached.get(path) ?? 0;
      for (const target of edges.get(path) ?? []) {
        const before = reached.get(target) ?? 0;
        if ((before | bits) === before) continue;
        reached.set(target, before | bits);
        next.add(target);
      }
    }
    front = next;
  }
  return reached;
}

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
