/**
 * Finds the nearest among candidates that are ranked by their signatures, reading as few vectors as it may.
 *
 * When the candidates are all there are, all are read and the result is exact. Otherwise they are read in their order
 * until the next one differs in more bits than one that belongs to the result would. A neighbour is then missed in two
 * cases only: its signature differs by more than five standard deviations from what its distance lets expect, or so many
 * others look closer that it is not among the candidates.
 */
import { mostBits } from "./signature.ts";
import { cosineDistance } from "./space.ts";
import type { SignatureMatch } from "./signature-search.ts";
import type { Neighbour } from "./vectors.ts";

type Wanted = { readonly vector: Float32Array; readonly limit: number; readonly maxDistance: number };

type Reading = {
  /** Whether the candidates are all the vectors there are. */
  readonly areAll: boolean;
  /** Vectors by their ids; those that are gone are missing. */
  readonly read: (ids: readonly number[]) => Promise<ReadonlyMap<number, Float32Array>>;
  /** How many to read at once. */
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
