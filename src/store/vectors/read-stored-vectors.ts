/** Reads vectors by their ids, many per statement. */
import type { Sql } from "../database.ts";
import type { StoredVectors } from "./nearest.ts";
import { fromBytes } from "./space.ts";

/** Ids per statement: keeps both the number of statements and the padding small. */
export const VECTORS_PER_READ = 100;

// No vector has this id. It pads shorter lists, so that the database prepares a single statement.
const PADDING_ID = 0;

export const ID_PLACEHOLDERS = Array.from({ length: VECTORS_PER_READ }, (_, index) => `$${index + 1}`).join(
  ", ",
);

export type VectorRow = { readonly id: number; readonly vector: Uint8Array };

/** All vectors of a small collection. */
export async function readCollection(collectionId: number, sql: Sql): Promise<StoredVectors> {
  const rows = await sql.query<VectorRow>("select id, vector from vectors where place_id = $1", [
    collectionId,
  ]);
  return new Map(rows.map(({ id, vector }) => [id, fromBytes(vector)]));
}

/** Leaves out vectors that were removed or moved to another collection since the search. */
export async function readStoredVectors(
  ids: readonly number[],
  collectionId: number,
  sql: Sql,
): Promise<StoredVectors> {
  // PostgreSQL reads the next ones while this process decodes the first.
  const read = await Promise.all(
    paddedBatches(ids).map((batch) =>
      sql.query<VectorRow>(
        `select id, vector from vectors where id in (${ID_PLACEHOLDERS}) and place_id = $${VECTORS_PER_READ + 1}`,
        [...batch, collectionId],
      ),
    ),
  );
  return new Map(read.flat().map(({ id, vector }) => [id, fromBytes(vector)]));
}

export function paddedBatches(ids: readonly number[]): readonly (readonly number[])[] {
  const count = Math.ceil(ids.length / VECTORS_PER_READ);
  return Array.from({ length: count }, (_, index) => {
    const batch = ids.slice(index * VECTORS_PER_READ, (index + 1) * VECTORS_PER_READ);
    return [...batch, ...Array.from({ length: VECTORS_PER_READ - batch.length }, () => PADDING_ID)];
  });
}
