/** Opens the vectors of a store with the adapter for its database. */
import type { Database } from "../database.ts";
import { createVectors, type VectorsOptions } from "./create-vectors.ts";
import { openPostgresSearch } from "./postgres/postgres-search.ts";
import { createSqliteSearch } from "./sqlite/sqlite-search.ts";
import { MAX_CANDIDATES, type Vectors } from "./vectors.ts";

const DEFAULTS: VectorsOptions = { maxCandidates: MAX_CANDIDATES };

export async function openVectors(database: Database, options: VectorsOptions = DEFAULTS): Promise<Vectors> {
  const isSqlite = database.dialect.name === "sqlite";
  const search = isSqlite ? createSqliteSearch(database) : await openPostgresSearch(database);
  return createVectors(database, search, options);
}
