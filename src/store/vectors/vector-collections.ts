/** Assigns ids to vector collections: pairs of a scope and a space. They are few. */
import type { Sql } from "../database.ts";
import { keyOf } from "./space.ts";
import type { VectorSpace } from "./vectors.ts";

export type VectorCollection = { readonly scope: string; readonly space: VectorSpace };

/** Null if the collection never had a vector. It is large if it has at least `least` of them. */
export async function findCollection(
  { scope, space }: VectorCollection,
  least: number,
  sql: Sql,
): Promise<{ readonly id: number; readonly isLarge: boolean } | null> {
  const [row] = await sql.query<{ id: number; count: number }>(
    `select id, (
       select count(*) from (select 1 from vectors where place_id = vector_places.id limit $3) as first
     ) as count
     from vector_places where scope = $1 and space = $2`,
    [scope, keyOf(space), least],
  );
  return row === undefined ? null : { id: row.id, isLarge: row.count >= least };
}

/** Keeps the collection from being removed until the caller's transaction ends. */
export async function ensureCollectionId(collection: VectorCollection, sql: Sql): Promise<number> {
  // The update changes nothing, but it locks the row and returns its id.
  const [row] = await sql.query<{ id: number }>(
    `insert into vector_places (scope, space) values ($1, $2)
     on conflict (scope, space) do update set space = excluded.space returning id`,
    [collection.scope, keyOf(collection.space)],
  );
  if (row === undefined) throw new Error("A vector collection is missing after it was created.");
  return row.id;
}
