/** Looks at a file before anything is opened that would change it: is it there, is it ours, does nobody use it? */
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { KodiaiError } from "../../base/errors.ts";
import { explainSqliteError } from "./sqlite-errors.ts";

// A server that has just been stopped may still be closing it.
const BUSY_TIMEOUT_MS = 1_000;

const SQLITE_BUSY = 5;
const SQLITE_NOT_A_DATABASE = 26;

/** Throws unless the file is an SQLite database with this table that no process, this one included, has open. */
export function assertUnused(path: string, ourTable: string): void {
  if (!existsSync(path)) {
    throw new KodiaiError("config", `there is no file at ${path}`, {
      hint: "Name the file that DATABASE_URL of the old installation names: --from sqlite:PATH.",
    });
  }
  if (!hasTable(path, ourTable)) {
    throw new KodiaiError("config", `${path} is not a database of Kodiai`, {
      hint: "Name the file that DATABASE_URL of the old installation names: --from sqlite:PATH.",
    });
  }
}

function hasTable(path: string, table: string): boolean {
  let handle: DatabaseSync | null = null;
  try {
    handle = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    // Whoever has the file open holds a share of its lock, even if idle: to read it exclusively all of them must be gone.
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
      hint: "Stop every `kodiai serve` and `kodiai worker` that uses it, and whatever else has it open; then run it again.",
      cause: error,
    });
  }
  if (code === SQLITE_NOT_A_DATABASE) {
    return new KodiaiError("config", `${path} is not an SQLite database`, {
      hint: "Name the file that DATABASE_URL of the old installation names: --from sqlite:PATH.",
      cause: error,
    });
  }
  return explainSqliteError(error, path);
}
