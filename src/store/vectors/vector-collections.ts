/** Numbers for what vectors are kept apart by: a scope and a space. They are few, and stay when they are empty. */
import type { Sql } from "../database.ts";
import { keyOf } from "./space.ts";
import type { VectorSpace } from "./vectors.ts";

export type VectorCollection = { readonly scope: string; readonly space: VectorSpace };

/** Null where nothing was ever put. */
export async function findCollectionId({ scope, space }: VectorCollection, sql: Sql): Promise<number | null> {
  const [row] = await sql.query<{ id: number }>(
    "select id from vector_places where scope = $1 and space = $2",
    [scope, keyOf(space)],
  );
  return row?.id ?? null;
}

export async function ensureCollectionId(place: VectorCollection, sql: Sql): Promise<number> {
  const known = await findCollectionId(place, sql);
  if (known !== null) return known;
  // Another process may make the same one in this moment; then it is that one's.
  await sql.query(
    "insert into vector_places (scope, space) values ($1, $2) on conflict (scope, space) do nothing",
    [place.scope, keyOf(place.space)],
  );
  const made = await findCollectionId(place, sql);
  if (made === null) throw new Error("A place for vectors was made and is not there.");
  return made;
}
