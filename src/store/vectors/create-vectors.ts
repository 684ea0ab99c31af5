/** The Vectors port over a database: writes vectors, and computes exact distances for the candidates an engine finds. */
import { createPause, yieldToEventLoop } from "../../base/event-loop.ts";
import type { Database, Sql } from "../database.ts";
import { inBatches, rowsOf } from "../many-rows.ts";
import { findNearest } from "./nearest.ts";
import { packSignature, type SignatureSearch } from "./signature-search.ts";
import { signatureOf } from "./signature.ts";
import { removeScope, removeVectors } from "./remove-vectors.ts";
import { assertFits, cosineDistance, fromBytes, keyOf, toBytes } from "./space.ts";
import { findCollectionId, ensureCollectionId } from "./vector-collections.ts";
import { MAX_NEIGHBOURS, type Neighbour, type VectorEntry, type Vectors } from "./vectors.ts";

/** Ids per statement: keeps both the number of statements and the padding small. */
const IDS_PER_STATEMENT = 100;

/** SQLite blocks the event loop while it reads. */
const PAUSE_EVERY_MS = 5;

// No vector has this id. It pads shorter lists, so that the database prepares a single statement.
const PADDING_ID = 0;

const PLACEHOLDERS = Array.from({ length: IDS_PER_STATEMENT }, (_, index) => `$${index + 1}`).join(", ");

type VectorRow = { readonly id: number; readonly vector: Uint8Array };

const READ_IN_SPACE = `select vectors.id, vector from vectors
  join vector_places on vector_places.id = place_id
  where vectors.id in (${PLACEHOLDERS}) and space = $${IDS_PER_STATEMENT + 1}
    and scope = coalesce($${IDS_PER_STATEMENT + 2}, scope)`;

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
      const collections = Map.groupBy(lastOfEach(entries), ({ scope, space }) =>
        JSON.stringify([scope, keyOf(space)]),
      );
      for (const group of collections.values()) {
        const [first] = group;
        if (first !== undefined) await putAll(group, await ensureCollectionId(first, sql), sql);
      }
    },
    remove: removeVectors,
    removeScope,
    async nearest({ scope, space, vector, limit, maxDistance = 2 }) {
      assertFits(vector, space);
      if (!Number.isInteger(limit) || limit < 1 || limit > MAX_NEIGHBOURS) {
        throw new RangeError(`The limit must be between 1 and ${MAX_NEIGHBOURS}, not ${limit}.`);
      }
      const collectionId = await findCollectionId({ scope, space }, database);
      if (collectionId === null) return [];
      const signature = signatureOf(vector);
      const candidates = await search.rank({ collectionId, signature, limit: maxCandidates });
      await yieldToEventLoop();
      const pause = createPause(PAUSE_EVERY_MS);
      return findNearest({ vector, limit, maxDistance }, candidates, {
        areAll: candidates.length < maxCandidates,
        batch: IDS_PER_STATEMENT,
        async read(ids) {
          await pause();
          return readVectors(ids, collectionId, database);
        },
      });
    },
    async measure({ scope = null, space, vector, ids }) {
      assertFits(vector, space);
      const pause = createPause(PAUSE_EVERY_MS);
      const found: Neighbour[] = [];
      for (const batch of paddedBatches(ids)) {
        const rows = await database.query<VectorRow>(READ_IN_SPACE, [...batch, keyOf(space), scope]);
        found.push(
          ...rows.map((row) => ({ id: row.id, distance: cosineDistance(vector, fromBytes(row.vector)) })),
        );
        await pause();
      }
      return found.sort((a, b) => a.distance - b.distance || a.id - b.id);
    },
  };
}

function assertEntry({ id, vector, space }: VectorEntry): void {
  if (!Number.isSafeInteger(id) || id < 1) throw new RangeError(`${id} is not a valid vector id`);
  assertFits(vector, space);
}

/** An id has one vector: the last one given. */
function lastOfEach(entries: readonly VectorEntry[]): readonly VectorEntry[] {
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}

async function putAll(entries: readonly VectorEntry[], collectionId: number, sql: Sql): Promise<void> {
  await inBatches(entries, (batch) =>
    sql.query(
      `insert into vectors (id, place_id, vector, signature) values ${rowsOf(batch.length, 4)}
       on conflict (id) do update set
         place_id = excluded.place_id, vector = excluded.vector, signature = excluded.signature`,
      batch.flatMap(({ id, vector }) => [
        id,
        collectionId,
        toBytes(vector),
        packSignature(id, signatureOf(vector)),
      ]),
    ),
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
    const rows = await sql.query<VectorRow>(
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
