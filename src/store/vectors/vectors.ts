/**
 * The Vectors port: finds the nearest neighbours of a vector by cosine distance, within one scope and one space. Stored
 * vectors are exact. Each adapter has its own way to search fast, and all of them return the same results.
 */
import type { Sql } from "../database.ts";

/** The embedding model that produced a vector. Vectors of different spaces are never compared. */
export type VectorSpace = {
  /** Provider and model: `voyage/voyage-code-3`. */
  readonly name: string;
  readonly dimensions: number;
};

export type VectorEntry = {
  /** An integer from 1. Each id has one vector, in one scope and one space. */
  readonly id: number;
  /** Searches in other scopes never find the vector. */
  readonly scope: string;
  readonly space: VectorSpace;
  /** One number per dimension of the space. Its magnitude doesn't matter but must not be zero. */
  readonly vector: Float32Array;
};

export type NeighbourRequest = {
  readonly scope: string;
  readonly space: VectorSpace;
  readonly vector: Float32Array;
  /** 1 to `MAX_NEIGHBOURS`. */
  readonly limit: number;
  /** Largest cosine distance to return, from 0 (same direction) to 2 (opposite). The default is 2. */
  readonly maxDistance?: number;
};

export type MeasureRequest = {
  /** Omitted: any scope. The caller knows that it may compare these vectors. */
  readonly scope?: string;
  readonly space: VectorSpace;
  readonly vector: Float32Array;
  readonly ids: readonly number[];
};

export type Neighbour = { readonly id: number; readonly distance: number };

/**
 * In a scope with fewer than a hundred vectors of a space, a search always finds the nearest ones. In a larger scope it can
 * miss a neighbour if its signature is misleading (see `nearest.ts`), or if more than `MAX_CANDIDATES` vectors look closer by
 * their signatures. Distances are always exact.
 */
export type Vectors = {
  /** How candidates are found: by the SQLite adapter, by plain PostgreSQL, or by the pgvector extension. */
  readonly method: "sqlite" | "postgres" | "pgvector";
  /** Inserts or replaces vectors inside the caller's transaction. Throws for a vector of zeros. */
  put(entries: readonly VectorEntry[], sql: Sql): Promise<void>;
  /** Removes vectors inside the caller's transaction. Ignores unknown ids. */
  remove(ids: readonly number[], sql: Sql): Promise<void>;
  /** Removes all vectors of a scope, in all spaces, inside the caller's transaction. */
  removeScope(scope: string, sql: Sql): Promise<void>;
  /** Returns committed vectors, nearest first, then by id. */
  nearest(request: NeighbourRequest): Promise<readonly Neighbour[]>;
  /** Returns the distances of given vectors in the same order, without those that don't exist in this space. */
  measure(request: MeasureRequest): Promise<readonly Neighbour[]>;
};

// More than fits into any prompt.
export const MAX_NEIGHBOURS = 100;

// A search has time to read and compare about this many vectors of 1,024 dimensions.
export const MAX_CANDIDATES = 2_000;

// The largest current models have 3,072 to 4,096 dimensions.
export const MAX_DIMENSIONS = 4_096;
