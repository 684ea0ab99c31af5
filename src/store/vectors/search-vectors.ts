/** Searches one collection: lets the engine rank the signatures, and computes exact distances for its candidates. */
import type { Sql } from "../database.ts";
import { findNearest } from "./nearest.ts";
import { IDS_PER_STATEMENT, readStoredVectors } from "./read-stored-vectors.ts";
import type { SignatureSearch } from "./signature-search.ts";
import { signatureOf } from "./signature.ts";
import { findCollectionId } from "./vector-collections.ts";
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
  const collectionId = await findCollectionId({ scope, space }, sql);
  if (collectionId === null) return [];
  const candidates = await search.rank({
    collectionId,
    signature: signatureOf(vector),
    limit: maxCandidates,
  });
  return findNearest({ vector, limit, maxDistance }, candidates, {
    // Reading all of a larger collection takes longer than finding all but one in three million (decision 173).
    areAll: candidates.length < Math.min(maxCandidates, IDS_PER_STATEMENT),
    batch: IDS_PER_STATEMENT,
    read: (ids) => readStoredVectors(ids, collectionId, sql),
  });
}
