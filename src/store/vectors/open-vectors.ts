/** Opens the vectors of a store with the adapter for its database. */
import type { Database } from "../database.ts";
import { createVectors } from "./create-vectors.ts";
import { openPostgresSearch } from "./postgres/postgres-search.ts";
import { searchVectors, type VectorsOptions } from "./search-vectors.ts";
import { createSearchThread } from "./sqlite/search-thread.ts";
import { MAX_CANDIDATES, type Vectors } from "./vectors.ts";

const DEFAULTS: VectorsOptions = { maxCandidates: MAX_CANDIDATES };

export async function openVectors(database: Database, options: VectorsOptions = DEFAULTS): Promise<Vectors> {
  if (database.dialect.name === "sqlite") {
    const nearest = createSearchThread(await pathOf(database), options);
    return createVectors(database, { method: "sqlite", nearest });
  }
  const search = await openPostgresSearch(database);
  return createVectors(database, {
    method: search.method,
    nearest: (request) => searchVectors(request, { ...options, sql: database, search }),
  });
}

async function pathOf(database: Database): Promise<string> {
  const [row] = await database.query<{ file: string }>(
    "select file from pragma_database_list where name = 'main'",
  );
  if (row === undefined) throw new Error("SQLite names no file for its database.");
  return row.file;
}
