/** Removes vectors, inside the caller's transaction. */
import type { Sql } from "../database.ts";
import { inBatches, rowsOf } from "../many-rows.ts";

/** Ignores unknown ids. */
export async function removeVectors(ids: readonly number[], sql: Sql): Promise<void> {
  await inBatches(ids, (batch) =>
    sql.query(`delete from vectors where id in ${rowsOf(1, batch.length)}`, batch),
  );
}

/** Removes all vectors of a scope, in all spaces. Waits for transactions that are adding some. */
export async function removeScope(scope: string, sql: Sql): Promise<void> {
  const places = await sql.query<{ id: number }>("delete from vector_places where scope = $1 returning id", [
    scope,
  ]);
  for (const { id } of places) await sql.query("delete from vectors where place_id = $1", [id]);
}
