/** Checks an SQLite file without changing it: it exists, it is a Kodiai database, and no process has it open. */
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { KodiaiError } from "../../base/errors.ts";
import { explainSqliteError } from "./sqlite-errors.ts";

// A server that was just stopped may still be closing the file.
const BUSY_TIMEOUT_MS = 1_000;

const SQLITE_BUSY = 5;
const SQLITE_NOT_A_DATABASE = 26;

/** Throws unless the file is an SQLite database with this table, and no process (including this one) has it open. */
export function assertUnused(path: string, ourTable: string): void {
  if (!existsSync(path)) {
    throw new KodiaiError("config", `${path} does not exist`, {
      hint: "Pass the file from the old installation's DATABASE_URL: --from sqlite:PATH.",
    });
  }
  if (!hasTable(path, ourTable)) {
    throw new KodiaiError("config", `${path} is not a Kodiai database`, {
      hint: "Pass the file from the old installation's DATABASE_URL: --from sqlite:PATH.",
    });
  }
}

function hasTable(path: string, table: string): boolean {
  let handle: DatabaseSync | null = null;
  try {
    handle = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    // Every process with the file open holds a shared lock, even when idle, so an exclusive read needs all of them closed.
    handle.exec("pragma locking_mode = exclusive");
    const found = handle.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(table);
    return found !== undefined;
  } catch (error) {
    throw explain(error, path);
  } finally {
    handle?.close();
  }
}

function explain(error: unknown, path: string): unknown {
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : 0;
  if (code === SQLITE_BUSY) {
    return new KodiaiError("config", `${path} is in use by another process`, {
      hint: "Stop every `kodiai serve`, `kodiai worker` and other program that has it open, then run the command again.",
      cause: error,
    });
  }
  if (code === SQLITE_NOT_A_DATABASE) {
    return new KodiaiError("config", `${path} is not an SQLite database`, {
      hint: "Pass the file from the old installation's DATABASE_URL: --from sqlite:PATH.",
      cause: error,
    });
  }
  return explainSqliteError(error, path);
}
