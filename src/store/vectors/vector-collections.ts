/** Assigns ids to vector collections: pairs of a scope and a space. They are few. */
import type { Sql } from "../database.ts";
import { keyOf } from "./space.ts";
import type { VectorSpace } from "./vectors.ts";

export type VectorCollection = { readonly scope: string; readonly space: VectorSpace };

/** Null if the collection never had a vector. */
export async function findCollectionId({ scope, space }: VectorCollection, sql: Sql): Promise<number | null> {
  const [row] = await sql.query<{ id: number }>(
    "select id from vector_places where scope = $1 and space = $2",
    [scope, keyOf(space)],
  );
  return row?.id ?? null;
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
