/** Vectors over a database: what is written, and the exact distances of what the engine's own search proposes. */
import type { Database, Sql } from "../database.ts";
import { findNearest } from "./nearest.ts";
import { packSignature, type SignatureSearch } from "./signature-search.ts";
import { signatureOf } from "./signature.ts";
import { assertFits, fromBytes, keyOf, toBytes } from "./space.ts";
import { findCollectionId, ensureCollectionId } from "./vector-collections.ts";
import { MAX_NEIGHBOURS, type VectorEntry, type Vectors } from "./vectors.ts";

/** As many as one statement names: few statements, and few values that are asked for in vain. */
const IDS_AT_ONCE = 100;

// No vector has this id: a statement for fewer ids is filled up with it, so that the database plans one statement only.
const NOBODY = 0;

const PLACEHOLDERS = Array.from({ length: IDS_AT_ONCE }, (_, index) => `$${index + 1}`).join(", ");

export type VectorsOptions = {
  /** Most vectors that are compared in one search: see `Vectors`. */
  readonly maxCandidates: number;
};

export function createVectors(
  database: Database,
  search: SignatureSearch,
  { maxCandidates }: VectorsOptions,
): Vectors {
  return {
    method: search.method,
    async put(entries, sql) {
      // Nothing is written before all of them are known to be good.
      for (const entry of entries) assertEntry(entry);
      const placeIds = new Map<string, number>();
      for (const entry of entries) {
        const key = JSON.stringify([entry.scope, keyOf(entry.space)]);
        const placeId = placeIds.get(key) ?? (await ensureCollectionId(entry, sql));
        placeIds.set(key, placeId);
        await putOne(entry, placeId, sql);
      }
    },
    async remove(ids, sql) {
      for (const some of inGroups(ids)) {
        await sql.query(`delete from vectors where id in (${PLACEHOLDERS})`, some);
      }
    },
    async removeScope(scope, sql) {
      await sql.query(
        "delete from vectors where place_id in (select id from vector_places where scope = $1)",
        [scope],
      );
    },
    async nearest({ scope, space, vector, limit, maxDistance = 2 }) {
      assertFits(vector, space);
      if (!Number.isInteger(limit) || limit < 1 || limit > MAX_NEIGHBOURS) {
        throw new RangeError(`The limit must be 1 to ${MAX_NEIGHBOURS} and is ${limit}.`);
      }
      const placeId = await findCollectionId({ scope, space }, database);
      if (placeId === null) return [];
      const signature = signatureOf(vector);
      const candidates = await search.rank({ placeId, signature, limit: maxCandidates });
      return findNearest({ vector, limit, maxDistance }, candidates, {
        areAll: candidates.length < maxCandidates,
        batch: IDS_AT_ONCE,
        read: (ids) => readVectors(ids, placeId, database),
      });
    },
  };
}

function assertEntry({ id, vector, space }: VectorEntry): void {
  if (!Number.isSafeInteger(id) || id < 1) throw new RangeError(`${id} cannot be the id of a vector`);
  assertFits(vector, space);
}

async function putOne({ id, vector }: VectorEntry, placeId: number, sql: Sql): Promise<void> {
  await sql.query(
    `insert into vectors (id, place_id, vector, signature) values ($1, $2, $3, $4)
     on conflict (id) do update set
       place_id = excluded.place_id, vector = excluded.vector, signature = excluded.signature`,
    [id, placeId, toBytes(vector), packSignature(id, signatureOf(vector))],
  );
}

/** Those that are still where they were when they were proposed. */
async function readVectors(
  ids: readonly number[],
  placeId: number,
  sql: Sql,
): Promise<ReadonlyMap<number, Float32Array>> {
  const found = new Map<number, Float32Array>();
  for (const some of inGroups(ids)) {
    const rows = await sql.query<{ id: number; vector: Uint8Array }>(
      `select id, vector from vectors where id in (${PLACEHOLDERS}) and place_id = $${IDS_AT_ONCE + 1}`,
      [...some, placeId],
    );
    for (const { id, vector } of rows) found.set(id, fromBytes(vector));
  }
  return found;
}

function inGroups(ids: readonly number[]): readonly (readonly number[])[] {
  const count = Math.ceil(ids.length / IDS_AT_ONCE);
  return Array.from({ length: count }, (_, index) => {
    const some = ids.slice(index * IDS_AT_ONCE, (index + 1) * IDS_AT_ONCE);
    return [...some, ...Array.from({ length: IDS_AT_ONCE - some.length }, () => NOBODY)];
  });
}
