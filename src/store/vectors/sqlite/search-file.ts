/** Searches the vectors of an SQLite file with a connection of its own, which it closes afterwards. */
import { openConnection } from "../../sqlite/sqlite-connection.ts";
import type { Row, Sql, SqlValue } from "../../database.ts";
import { searchVectors, type VectorsOptions } from "../search-vectors.ts";
import type { Neighbour, NeighbourRequest } from "../vectors.ts";
import { createSqliteSearch } from "./sqlite-search.ts";

export type FileSearch = VectorsOptions & { readonly path: string; readonly request: NeighbourRequest };

export async function searchFile({
  path,
  request,
  maxCandidates,
}: FileSearch): Promise<readonly Neighbour[]> {
  // An open connection would keep the file in use after the store is closed. Opening one takes less than a millisecond.
  const connection = openConnection(path, { isReadOnly: true });
  try {
    const sql: Sql = {
      // The caller's type names the columns it selects.
      query: async <Result extends Row>(text: string, params: readonly SqlValue[] = []) =>
        connection.run(text, params) as readonly Result[],
    };
    return await searchVectors(request, { sql, search: createSqliteSearch(sql), maxCandidates });
  } finally {
    connection.close();
  }
}
