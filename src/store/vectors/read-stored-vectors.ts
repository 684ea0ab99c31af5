/** Reads vectors by their ids, many per statement. */
import type { Sql } from "../database.ts";
import { fromBytes } from "./space.ts";

/** Ids per statement: keeps both the number of statements and the padding small. */
export const IDS_PER_STATEMENT = 100;

// No vector has this id. It pads shorter lists, so that the database prepares a single statement.
const PADDING_ID = 0;

export const ID_PLACEHOLDERS = Array.from({ length: IDS_PER_STATEMENT }, (_, index) => `$${index + 1}`).join(
  ", ",
);

export type VectorRow = { readonly id: number; readonly vector: Uint8Array };

/** Leaves out vectors that were removed or moved to another collection since the search. */
export async function readStoredVectors(
  ids: readonly number[],
  collectionId: number,
  sql: Sql,
): Promise<ReadonlyMap<number, Float32Array>> {
  const found = new Map<number, Float32Array>();
  for (const batch of paddedBatches(ids)) {
    const rows = await sql.query<VectorRow>(
      `select id, vector from vectors where id in (${ID_PLACEHOLDERS}) and place_id = $${IDS_PER_STATEMENT + 1}`,
      [...batch, collectionId],
    );
    for (const { id, vector } of rows) found.set(id, fromBytes(vector));
  }
  return found;
}

export function paddedBatches(ids: readonly number[]): readonly (readonly number[])[] {
  const count = Math.ceil(ids.length / IDS_PER_STATEMENT);
  return Array.from({ length: count }, (_, index) => {
    const batch = ids.slice(index * IDS_PER_STATEMENT, (index + 1) * IDS_PER_STATEMENT);
    return [...batch, ...Array.from({ length: IDS_PER_STATEMENT - batch.length }, () => PADDING_ID)];
  });
}
