/** The Vectors port over a database: writes vectors, checks what is asked for, and lets the engine search. */
import { createPause } from "../../base/event-loop.ts";
import type { Database, Sql } from "../database.ts";
import { inBatches, rowsOf } from "../many-rows.ts";
import { packSignature } from "./signature-search.ts";
import { signatureOf } from "./signature.ts";
import { removeScope, removeVectors } from "./remove-vectors.ts";
import { ID_PLACEHOLDERS, paddedBatches, VECTORS_PER_READ, type VectorRow } from "./read-stored-vectors.ts";
import { assertFits, cosineDistance, fromBytes, keyOf, toBytes } from "./space.ts";
import { ensureCollectionId } from "./vector-collections.ts";
import { MAX_NEIGHBOURS, type Neighbour, type VectorEntry, type Vectors } from "./vectors.ts";

/** SQLite blocks the event loop while it reads. */
const PAUSE_EVERY_MS = 5;

const READ_IN_SPACE = `select vectors.id, vector from vectors
  join vector_places on vector_places.id = place_id
  where vectors.id in (${ID_PLACEHOLDERS}) and space = $${VECTORS_PER_READ + 1}
    and scope = coalesce($${VECTORS_PER_READ + 2}, scope)`;

export function createVectors(database: Database, search: Pick<Vectors, "method" | "nearest">): Vectors {
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
    async nearest(request) {
      const { vector, space, limit } = request;
      assertFits(vector, space);
      if (!Number.isInteger(limit) || limit < 1 || limit > MAX_NEIGHBOURS) {
        throw new RangeError(`The limit must be between 1 and ${MAX_NEIGHBOURS}, not ${limit}.`);
      }
      return search.nearest(request);
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
