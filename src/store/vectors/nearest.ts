/**
 * Finds the nearest vectors among candidates ranked by their estimated distances, and reads as few vectors as possible: in order, until
 * the next one can't be nearer than the results. A neighbour is then missed in two cases only: its signature deviates by more than five
 * standard deviations from the expectation for its distance, or so many others look closer that it isn't a candidate.
 */
import { type EstimatedVector, mostEstimated } from "./estimate.ts";
import { cosineDistance } from "./space.ts";
import type { Neighbour } from "./vectors.ts";

type Wanted = { readonly vector: Float32Array; readonly limit: number; readonly maxDistance: number };

type Reading = {
  /** Returns vectors by id, without those that no longer exist. */
  readonly read: (ids: readonly number[]) => Promise<StoredVectors>;
  /** Vectors to read at a time. */
  readonly batch: number;
};

export type StoredVectors = ReadonlyMap<number, Float32Array>;

/** Each read is this many times larger than the one before. */
const GROWTH = 3;

export async function findNearest(
  wanted: Wanted,
  candidates: readonly EstimatedVector[],
  { batch, read }: Reading,
): Promise<readonly Neighbour[]> {
  const { vector, limit, maxDistance } = wanted;
  let nearest: readonly Neighbour[] = [];
  // The first results nearly tell how many more there are to read, so that a second, larger read is usually the last.
  for (let start = 0, size = batch; start < candidates.length; start += size, size *= GROWTH) {
    const most = mostEstimated(nearest[limit - 1]?.distance ?? maxDistance, vector.length);
    const next = candidates.slice(start, start + size).filter(({ estimate }) => estimate <= most);
    if (next.length === 0) break;
    nearest = keepNearest(wanted, await read(next.map(({ id }) => id)), nearest);
  }
  return nearest;
}

/** The nearest of these vectors and of those found before. */
export function keepNearest(
  { vector, limit, maxDistance }: Wanted,
  vectors: StoredVectors,
  before: readonly Neighbour[] = [],
): readonly Neighbour[] {
  const more = [...vectors].map(([id, other]) => ({ id, distance: cosineDistance(vector, other) }));
  return [...before, ...more]
    .filter(({ distance }) => distance <= maxDistance)
    .sort((a, b) => a.distance - b.distance || a.id - b.id)
    .slice(0, limit);
}
