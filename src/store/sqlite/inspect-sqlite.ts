/** Looks at an SQLite file: its schema, whether it can be written, the disk, the log and the clock. Writes nothing. */
import { statfsSync, statSync } from "node:fs";
import type { Row, Sql, SqlValue } from "../database.ts";
import { compareSchema, type Schema } from "../migrate.ts";
import type { StoreFacts } from "../store-facts.ts";
import { openConnection, type SqliteConnection } from "./sqlite-connection.ts";
import { readAheadMs } from "./store-clock.ts";

/** SQLite moves the log into the file after every 4 MB. Only a reader that never ends keeps it from that. */
const USUAL_LOG_BYTES = 256_000_000;

export async function inspectSqlite(path: string, expected: Schema): Promise<StoreFacts> {
  const connection = openConnection(path, { isReadOnly: false });
  try {
    const sql: Sql = {
      // The caller's type names the columns it selects.
      query: async <Result extends Row>(text: string, params: readonly SqlValue[] = []) =>
        connection.run(text, params) as readonly Result[],
    };
    const tables = connection.run("select 1 from sqlite_schema where type = 'table' and name = $1", [
      expected.record,
    ]);
    const schema = tables.length === 0 ? null : await compareSchema(sql, expected);
    const isCurrent = schema !== null && schema.missing.length === 0;
    const { bavail, bsize } = statfsSync(path);
    return {
      kind: "found",
      place: path,
      schema,
      writeFailure: tryToWrite(connection),
      freeBytes: bavail * bsize,
      log: {
        bytes: statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
        usualBytes: USUAL_LOG_BYTES,
      },
      // Older schemas have no clock.
      aheadMs: isCurrent ? await readAheadMs(sql, Date.now()) : 0,
    };
  } finally {
    connection.close();
  }
}

/** Takes the lock for writing and changes a page, but doesn't keep the change. */
function tryToWrite(connection: SqliteConnection): Error | null {
  try {
    connection.run("begin immediate", []);
    connection.run("create table doctor_probe (id integer)", []);
    connection.run("rollback", []);
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
