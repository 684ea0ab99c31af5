/**
 * The SQLite file with the facts of one repository. Every row has a checksum over its key and facts. Functions throw SQLite's
 * errors; `problemOf` names them.
 */
import type { DatabaseSync } from "node:sqlite";
import type { CacheProblem } from "../code-index.ts";
import type { StoredFacts } from "../facts-store.ts";

/** "kodi" in ASCII: marks the file as ours. */
const APPLICATION_ID = 0x6b6f6469;

/** Raise it with every change of the table. */
const SCHEMA_VERSION = 1;

/** How long a statement waits for another process, whose transactions take milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS facts (key TEXT PRIMARY KEY, facts BLOB NOT NULL, checksum INTEGER NOT NULL) STRICT;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

export type FactsFile = {
  /** `damaged` counts rows that failed their checksum. */
  read(keys: readonly string[]): { readonly found: ReadonlyMap<string, string>; readonly damaged: number };
  write(rows: readonly StoredFacts[]): void;
  close(): void;
};

/** Another program's file, or one of another version. */
const FOREIGN = new Error("not a file of this code index");

export function openFactsFile(path: string, { isReadOnly }: { readonly isReadOnly: boolean }): FactsFile {
  const sqlite = process.getBuiltinModule("node:sqlite");
  const database = new sqlite.DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, readOnly: isReadOnly });
  try {
    prepare(database, isReadOnly);
    return createFactsFile(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepare(database: DatabaseSync, isReadOnly: boolean): void {
  const id = numberOf(database, "PRAGMA application_id");
  const version = numberOf(database, "PRAGMA user_version");
  const isOurs = id === APPLICATION_ID && version === SCHEMA_VERSION;
  const isNew = id === 0 && version === 0 && numberOf(database, "SELECT count(*) FROM sqlite_schema") === 0;
  if (!isOurs && !isNew) throw FOREIGN;
  if (isReadOnly) return;
  // A crash of the machine may lose the last facts, but not damage the file.
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  if (isNew) database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT;`);
}

function numberOf(database: DatabaseSync, sql: string): number {
  return Number(Object.values(database.prepare(sql).get() ?? {})[0]);
}

function createFactsFile(database: DatabaseSync): FactsFile {
  const { crc32 } = process.getBuiltinModule("node:zlib");
  // One statement for all keys takes half the time of one for each, and texts less than bytes that become texts.
  const select = database.prepare(
    "SELECT key, CAST(facts AS TEXT) AS facts, checksum FROM facts WHERE key IN (SELECT value FROM json_each(?))",
  );
  const insert = database.prepare("INSERT OR REPLACE INTO facts (key, facts, checksum) VALUES (?, ?, ?)");
  const checksumOf = (key: string, facts: string | Uint8Array): number => crc32(facts, crc32(key));

  return {
    read(keys) {
      const found = new Map<string, string>();
      let damaged = 0;
      for (const { key, facts, checksum } of select.all(JSON.stringify(keys))) {
        const isWhole = typeof key === "string" && typeof facts === "string";
        if (isWhole && checksum === checksumOf(key, facts)) found.set(key, facts);
        else damaged++;
      }
      return { found, damaged };
    },
    write(rows) {
      database.exec("BEGIN IMMEDIATE");
      try {
        for (const { key, facts } of rows) {
          const bytes = Buffer.from(facts, "utf8");
          insert.run(key, bytes, checksumOf(key, bytes));
        }
        database.exec("COMMIT");
      } catch (error) {
        // SQLite may have rolled back already.
        if (database.isTransaction) database.exec("ROLLBACK");
        throw error;
      }
    },
    close: () => database.close(),
  };
}

const [CORRUPT, NOT_A_DATABASE, READ_ONLY, CANNOT_OPEN] = [11, 26, 8, 14];

export function problemOf(error: unknown): CacheProblem {
  if (error === FOREIGN) return "foreign";
  // Extended codes have the primary one in their lowest byte.
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : 0;
  if (code === CORRUPT) return "corrupt";
  if (code === NOT_A_DATABASE) return "foreign";
  if (code === READ_ONLY) return "read-only";
  const systemCode = error instanceof Error && "code" in error ? error.code : "";
  const isDenied = systemCode === "EACCES" || systemCode === "EROFS" || systemCode === "EPERM";
  return isDenied ? "read-only" : code === CANNOT_OPEN ? "read-only" : "unavailable";
}
