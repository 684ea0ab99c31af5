/** The Vectors port over a database: writes vectors, and computes exact distances for the candidates an engine finds. */
import type { Database, Sql } from "../database.ts";
import { findNearest } from "./nearest.ts";
import { packSignature, type SignatureSearch } from "./signature-search.ts";
import { signatureOf } from "./signature.ts";
import { assertFits, fromBytes, keyOf, toBytes } from "./space.ts";
import { findCollectionId, ensureCollectionId } from "./vector-collections.ts";
import { MAX_NEIGHBOURS, type VectorEntry, type Vectors } from "./vectors.ts";

/** Ids per statement: keeps both the number of statements and the padding small. */
const IDS_PER_STATEMENT = 100;

// No vector has this id. It pads shorter lists, so that the database prepares a single statement.
const PADDING_ID = 0;

const PLACEHOLDERS = Array.from({ length: IDS_PER_STATEMENT }, (_, index) => `$${index + 1}`).join(", ");

export type VectorsOptions = {
  /** Most vectors compared in one search; see `Vectors`. */
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
      // Validates all entries before it writes any.
      for (const entry of entries) assertEntry(entry);
      const collectionIds = new Map<string, number>();
      for (const entry of entries) {
        const key = JSON.stringify([entry.scope, keyOf(entry.space)]);
        const collectionId = collectionIds.get(key) ?? (await ensureCollectionId(entry, sql));
        collectionIds.set(key, collectionId);
        await putOne(entry, collectionId, sql);
      }
    },
    async remove(ids, sql) {
      for (const batch of paddedBatches(ids)) {
        await sql.query(`delete from vectors where id in (${PLACEHOLDERS})`, batch);
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
        throw new RangeError(`The limit must be between 1 and ${MAX_NEIGHBOURS}, not ${limit}.`);
      }
      const collectionId = await findCollectionId({ scope, space }, database);
      if (collectionId === null) return [];
      const signature = signatureOf(vector);
      const candidates = await search.rank({ collectionId, signature, limit: maxCandidates });
      return findNearest({ vector, limit, maxDistance }, candidates, {
        areAll: candidates.length < maxCandidates,
        batch: IDS_PER_STATEMENT,
        read: (ids) => readVectors(ids, collectionId, database),
      });
    },
  };
}

function assertEntry({ id, vector, space }: VectorEntry): void {
  if (!Number.isSafeInteger(id) || id < 1) throw new RangeError(`${id} is not a valid vector id`);
  assertFits(vector, space);
}

async function putOne({ id, vector }: VectorEntry, collectionId: number, sql: Sql): Promise<void> {
  await sql.query(
    `insert into vectors (id, place_id, vector, signature) values ($1, $2, $3, $4)
     on conflict (id) do update set
       place_id = excluded.place_id, vector = excluded.vector, signature = excluded.signature`,
    [id, collectionId, toBytes(vector), packSignature(id, signatureOf(vector))],
  );
}

/** Leaves out vectors that were removed or moved to another collection since the search. */
async function readVectors(
  ids: readonly number[],
  collectionId: number,
  sql: Sql,
): Promise<ReadonlyMap<number, Float32Array>> {
  const found = new Map<number, Float32Array>();
  for (const batch of paddedBatches(ids)) {
    const rows = await sql.query<{ id: number; vector: Uint8Array }>(
      `select id, vector from vectors where id in (${PLACEHOLDERS}) and place_id = $${IDS_PER_STATEMENT + 1}`,
      [...batch, collectionId],
    );
    for (const { id, vector } of rows) found.set(id, fromBytes(vector));
  }
  return found;
}

function paddedBatches(ids: readonly number[]): readonly (readonly number[])[] {
  const count = Math.ceil(ids.length / IDS_PER_STATEMENT);
  return Array.from({ length: count }, (_, index) => {
    const batch = ids.slice(index * IDS_PER_STATEMENT, (index + 1) * IDS_PER_STATEMENT);
    return [...batch, ...Array.from({ length: IDS_PER_STATEMENT - batch.length }, () => PADDING_ID)];
  });
}
