/**
 * Opens the store of an installation by its address: knowledge, which survives a power cut, and telemetry, which is
 * cheap. Two files of SQLite, or one database of PostgreSQL.
 */
import { existsSync } from "node:fs";
import { parse } from "node:path";
import { KodiaiError } from "../base/errors.ts";
import { type DatabaseClock, startDatabaseClock } from "./postgres/database-clock.ts";
import { migrateSchema, type Schema } from "./migrate.ts";
import { KNOWLEDGE_MIGRATIONS, TELEMETRY_MIGRATIONS } from "./migrations/all-migrations.ts";
import { assertNotMoving } from "./move/move-record.ts";
import type { Database, Sql } from "./database.ts";
import type { PostgresDatabase } from "./postgres/postgres-database.ts";
import type { Listening } from "./postgres/postgres-listener.ts";
import type { SqliteDatabase } from "./sqlite/sqlite-database.ts";
import type { StoreClock } from "./sqlite/store-clock.ts";

export type Store = {
  readonly database: Database;
  readonly telemetry: Database;
  /** The time that all processes of an installation agree on, in milliseconds since 1970. */
  readonly now: () => number;
  /** Hears what other processes say. With SQLite nobody says anything: who waits looks at the file now and then. */
  readonly listen: (channel: string, onNotification: () => void) => Listening;
  close(): Promise<void>;
};

export type StoreOptions = {
  /** Whoever only wants to look must not leave an empty database behind. */
  readonly mustExist?: boolean;
  /** Most connections to a database server. */
  readonly connections?: number;
  /**
   * Looks at a database server's database before anything in it is changed, and throws to leave it as it is. Unless said
   * otherwise, one whose move from SQLite is not finished is refused.
   */
  readonly admit?: (sql: Sql) => Promise<void>;
  /** Called when this machine's clock was set back, with the milliseconds that `now` is ahead of it since. SQLite only. */
  readonly onClockSetBack?: (aheadMs: number) => void;
};

const DEAF: Listening = { stop: () => Promise.resolve() };

const DEFAULT_CONNECTIONS = 10;

/** The table that says which steps of a schema have been taken. */
export const SCHEMA_RECORD = "schema_migrations";

const KNOWLEDGE: Schema = { record: SCHEMA_RECORD, migrations: KNOWLEDGE_MIGRATIONS };

/** In a file of its own it has the usual name; beside the other one it has its own. */
const telemetrySchema = (record: string): Schema => ({ record, migrations: TELEMETRY_MIGRATIONS });

/** The schemas are up to date when it resolves. A relative path is relative to the current folder. */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  if (isPostgres(url)) return openPostgresStore(url, options);
  return openSqliteStore(sqlitePathOf(url), options);
}

export function isPostgres(url: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(url);
}

async function openSqliteStore(
  path: string,
  { mustExist = false, onClockSetBack = () => {} }: StoreOptions,
): Promise<Store> {
  if (mustExist && !existsSync(path)) throw noDatabase(path);
  const { openSqliteDatabase } = await import("./sqlite/sqlite-database.ts");
  const { startStoreClock } = await import("./sqlite/store-clock.ts");
  const opened: Database[] = [];
  let clock: StoreClock | null = null;
  const close = async (): Promise<void> => {
    clock?.stop();
    for (const each of opened) await each.close();
  };
  const open = async (
    options: Parameters<typeof openSqliteDatabase>[0],
    schema: Schema,
  ): Promise<SqliteDatabase> => {
    const database = openSqliteDatabase(options);
    opened.push(database);
    await migrateSchema(database, schema, Date.now);
    return database;
  };
  try {
    const database = await open({ path, synchronous: "full" }, KNOWLEDGE);
    const telemetry = await open(
      { path: telemetryPathOf(path), synchronous: "normal" },
      telemetrySchema(SCHEMA_RECORD),
    );
    clock = await startStoreClock(database, {
      // Asked each time, so that a test can set it.
      wall: () => Date.now(),
      steady: () => performance.now(),
      onSetBack: onClockSetBack,
    });
    return { database, telemetry, now: clock.now, listen: () => DEAF, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openPostgresStore(
  url: string,
  { mustExist = false, connections = DEFAULT_CONNECTIONS, admit = assertNotMoving }: StoreOptions,
): Promise<Store> {
  const { openPostgresDatabase } = await import("./postgres/postgres-database.ts");
  const database = openPostgresDatabase({ url, connections });
  let clock: DatabaseClock | null = null;
  const close = async (): Promise<void> => {
    clock?.stop();
    await database.close();
  };
  try {
    if (mustExist) await assertUsed(database);
    await admit(database);
    clock = await startDatabaseClock(database.readTime);
    await migrateSchema(database, KNOWLEDGE, clock.now);
    await migrateSchema(database, telemetrySchema("telemetry_migrations"), clock.now);
    return {
      database,
      telemetry: database.relaxed,
      now: clock.now,
      listen: database.listen,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function assertUsed(database: PostgresDatabase): Promise<void> {
  const [row] = await database.query<{ is_used: number }>(
    "select to_regclass('schema_migrations') is not null as is_used",
  );
  if (row?.is_used === 1) return;
  throw new KodiaiError("config", "the database of DATABASE_URL has not been used by Kodiai yet", {
    hint: "Set DATABASE_URL as the server has it; the first start of `kodiai serve` makes the tables.",
  });
}

export function sqlitePathOf(url: string): string {
  // `sqlite://PATH` is written by people who know other tools.
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1];
  if (path !== undefined && !/^(?::memory:|file:)/.test(path)) return path;
  // The address is not repeated: it may hold a password.
  throw new KodiaiError("config", "DATABASE_URL does not name a database that Kodiai can use", {
    hint: "Set it to sqlite:PATH, for example sqlite:./data/kodiai.db, or to postgres://USER:PASSWORD@HOST/DATABASE.",
  });
}

/** data/kodiai.db → data/kodiai-telemetry.db */
export function telemetryPathOf(path: string): string {
  const { name, ext } = parse(path);
  return `${path.slice(0, path.length - name.length - ext.length)}${name}-telemetry${ext}`;
}

function noDatabase(path: string): KodiaiError {
  return new KodiaiError("config", `there is no database at ${path}`, {
    hint: "Run it in the folder that the server runs in, or set DATABASE_URL as the server has it.",
  });
}
