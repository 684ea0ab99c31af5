/**
 * The entry of the thread that searches the vectors of an SQLite file: one search at a time, one answer for each, in order. Each search
 * has a connection of its own, because an open one would keep the file in use after the store is closed. Opening takes less than a
 * millisecond.
 */
import { parentPort } from "node:worker_threads";
import { toPortable } from "./base/portable-error.ts";
import type { Row, Sql, SqlValue } from "./store/database.ts";
import { openConnection } from "./store/sqlite/sqlite-connection.ts";
import { searchVectors } from "./store/vectors/search-vectors.ts";
import type { FileSearch, SearchAnswer } from "./store/vectors/sqlite/search-thread.ts";
import { createSqliteSearch } from "./store/vectors/sqlite/sqlite-search.ts";
import type { Neighbour } from "./store/vectors/vectors.ts";

let turn: Promise<void> = Promise.resolve();

// Only search-thread.ts sends messages.
parentPort?.on("message", (search: FileSearch) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  turn = turn.then(async () => parentPort?.postMessage(await answer(search)));
});

async function answer(search: FileSearch): Promise<SearchAnswer> {
  try {
    return { kind: "found", neighbours: await searchFile(search) };
  } catch (error) {
    return toPortable(error);
  }
}

async function searchFile({ path, request, maxCandidates }: FileSearch): Promise<readonly Neighbour[]> {
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
