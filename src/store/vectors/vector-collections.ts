/** Assigns ids to vector collections: pairs of a scope and a space. They are few and are kept when they become empty. */
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

export async function ensureCollectionId(collection: VectorCollection, sql: Sql): Promise<number> {
  const known = await findCollectionId(collection, sql);
  if (known !== null) return known;
  // If another process creates the same collection at the same time, its row is used.
  await sql.query(
    "insert into vector_places (scope, space) values ($1, $2) on conflict (scope, space) do nothing",
    [collection.scope, keyOf(collection.space)],
  );
  const created = await findCollectionId(collection, sql);
  if (created === null) throw new Error("A vector collection is missing after it was created.");
  return created;
}
