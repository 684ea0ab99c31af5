/**
 * Finds the nearest vectors among candidates ranked by their signatures, and reads as few vectors as possible.
 *
 * In a collection that one statement reads, all are read and the result is exact. Otherwise they are read in order until
 * the next one differs in more bits than a vector of the result could. A neighbour is then missed in two cases only: its
 * signature deviates by more than five standard deviations from the expectation for its distance, or so many others look
 * closer that it isn't a candidate.
 */
import { mostBits } from "./signature.ts";
import { cosineDistance } from "./space.ts";
import type { SignatureMatch } from "./signature-search.ts";
import type { Neighbour } from "./vectors.ts";

type Wanted = { readonly vector: Float32Array; readonly limit: number; readonly maxDistance: number };

type Reading = {
  /** Whether the candidates are all vectors of the collection, and all are to be read. */
  readonly areAll: boolean;
  /** Returns vectors by id, without those that no longer exist. */
  readonly read: (ids: readonly number[]) => Promise<ReadonlyMap<number, Float32Array>>;
  /** Vectors to read at a time. */
  readonly batch: number;
};

export async function findNearest(
  { vector, limit, maxDistance }: Wanted,
  candidates: readonly SignatureMatch[],
  { areAll, batch, read }: Reading,
): Promise<readonly Neighbour[]> {
  let nearest: readonly Neighbour[] = [];
  for (let start = 0; start < candidates.length; start += batch) {
    const next = candidates.slice(start, start + batch);
    const farthest = nearest[limit - 1]?.distance ?? maxDistance;
    if (!areAll && (next[0]?.bits ?? 0) > mostBits(farthest)) break;
    const vectors = await read(next.map(({ id }) => id));
    const more = [...vectors].map(([id, other]) => ({ id, distance: cosineDistance(vector, other) }));
    nearest = [...nearest, ...more]
      .filter(({ distance }) => distance <= maxDistance)
      .sort((a, b) => a.distance - b.distance || a.id - b.id)
      .slice(0, limit);
  }
  return nearest;
}
