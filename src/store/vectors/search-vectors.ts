/** Searches one collection: lets the engine find the closest signatures, and computes exact distances for the closest of those. */
import type { Sql } from "../database.ts";
import { estimateDistances } from "./estimate.ts";
import { findNearest, keepNearest } from "./nearest.ts";
import { readCollection, readStoredVectors, VECTORS_PER_READ } from "./read-stored-vectors.ts";
import type { SignatureSearch } from "./signature-search.ts";
import { mostBits, SIGNATURE_BITS, signatureOf } from "./signature.ts";
import { findCollection } from "./vector-collections.ts";
import type { NeighbourRequest, Neighbour } from "./vectors.ts";

export type VectorsOptions = {
  /** Most vectors compared in one search; see `Vectors`. */
  readonly maxCandidates: number;
};

type SearchDeps = VectorsOptions & { readonly sql: Sql; readonly search: SignatureSearch };

export async function searchVectors(
  { scope, space, vector, limit, maxDistance = 2 }: NeighbourRequest,
  { sql, search, maxCandidates }: SearchDeps,
): Promise<readonly Neighbour[]> {
  const whole = Math.min(maxCandidates, VECTORS_PER_READ);
  const collection = await findCollection({ scope, space }, whole, sql);
  if (collection === null) return [];
  const { id, isLarge } = collection;
  const wanted = { vector, limit, maxDistance };
  // Reading all of a larger collection takes longer than finding all but one in three million (decision 173).
  if (!isLarge) return keepNearest(wanted, await readCollection(id, sql));
  const packed = await search.rank({
    collectionId: id,
    signature: signatureOf(vector),
    mostBits: Math.min(SIGNATURE_BITS, Math.floor(mostBits(maxDistance))),
    limit: maxCandidates,
  });
  return findNearest(wanted, estimateDistances(vector, packed), {
    batch: VECTORS_PER_READ,
    read: (ids) => readStoredVectors(ids, id, sql),
  });
}
