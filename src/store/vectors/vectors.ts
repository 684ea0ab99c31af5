/**
 * The Vectors port: the nearest neighbours of a vector by cosine distance, within one scope and one space. What is stored
 * is exact; how a search is made quick is the adapters' matter, and all of them give the same results.
 */
import type { Sql } from "../database.ts";

/** Which model has made a vector. Vectors of different spaces are never compared. */
export type VectorSpace = {
  /** Provider and model: `voyage/voyage-code-3`. */
  readonly name: string;
  readonly dimensions: number;
};

export type VectorEntry = {
  /** A whole number from 1; an id has one vector, in one scope and one space. */
  readonly id: number;
  /** Who may find it: nobody who asks in another scope. */
  readonly scope: string;
  readonly space: VectorSpace;
  /** As long as the space has dimensions; its length does not matter, but it has one. */
  readonly vector: Float32Array;
};

export type NeighbourRequest = {
  readonly scope: string;
  readonly space: VectorSpace;
  readonly vector: Float32Array;
  /** At most so many, 1 to `MAX_NEIGHBOURS`. */
  readonly limit: number;
  /** Cosine distance, 0 (same direction) to 2 (opposite); what is farther is not found. Everything is found without it. */
  readonly maxDistance?: number;
};

export type Neighbour = { readonly id: number; readonly distance: number };

/**
 * In a scope with fewer than `MAX_CANDIDATES` vectors of a space the nearest ones are found, without exception. In a
 * larger one a neighbour can be missed when more vectors than that look closer by their signatures, or when its own
 * signature deceives (see `nearest.ts`); what is found has its exact distance.
 */
export type Vectors = {
  /** How candidates are found: by SQLite's adapter, by PostgreSQL alone, or by its extension. */
  readonly method: "sqlite" | "postgres" | "pgvector";
  /** Within the caller's transaction. What an id had before is replaced. A vector that has no direction is refused. */
  put(entries: readonly VectorEntry[], sql: Sql): Promise<void>;
  /** Within the caller's transaction. Ids that are not there are passed over. */
  remove(ids: readonly number[], sql: Sql): Promise<void>;
  /** Within the caller's transaction: everything in a scope, of all spaces. */
  removeScope(scope: string, sql: Sql): Promise<void>;
  /** Nearest first, those at the same distance by their ids. Sees what has been committed. */
  nearest(request: NeighbourRequest): Promise<readonly Neighbour[]>;
};

// More than any prompt has room for.
export const MAX_NEIGHBOURS = 100;

// Reading and comparing so many vectors of 1,024 dimensions is what fits into the time that a search may take.
export const MAX_CANDIDATES = 2_000;

// The largest models of today have 3,072 to 4,096.
export const MAX_DIMENSIONS = 4_096;
