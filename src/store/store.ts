/**
 * Opens the store that DATABASE_URL names: knowledge, which survives a power cut, and telemetry, which is cheap to write.
 * They are two SQLite files or one PostgreSQL database.
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
  /** The time that all processes of an installation share, in milliseconds since 1970. */
  readonly now: () => number;
  /** Receives notifications of other processes. SQLite has none, so its workers poll the file. */
  readonly listen: (channel: string, onNotification: () => void) => Listening;
  close(): Promise<void>;
};

export type StoreOptions = {
  /** Fails if there is no database. Commands that only read use this, so that they don't create an empty one. */
  readonly mustExist?: boolean;
  /** Most connections to a database server. */
  readonly connections?: number;
  /** A database server ends a statement that takes longer. Left out: no limit. SQLite has none. */
  readonly statementTimeoutMs?: number;
  /**
   * Checks a PostgreSQL database before anything in it changes, and throws to leave it as it is. The default refuses a
   * database with an unfinished move from SQLite.
   */
  readonly beforeMigrate?: (sql: Sql) => Promise<void>;
  /** Called when this machine's clock was set back, with the milliseconds that `now` is now ahead of it. SQLite only. */
  readonly onClockSetBack?: (aheadMs: number) => void;
};

const NO_NOTIFICATIONS: Listening = { stop: () => Promise.resolve() };

const DEFAULT_CONNECTIONS = 10;

/** The table that records which migrations were applied. */
export const SCHEMA_RECORD = "schema_migrations";

/** The schema of what an installation knows. */
export const KNOWLEDGE_SCHEMA: Schema = { record: SCHEMA_RECORD, migrations: KNOWLEDGE_MIGRATIONS };

/** In SQLite's separate file the table has the usual name. In PostgreSQL it shares a database, so it has another one. */
const telemetrySchema = (record: string): Schema => ({ record, migrations: TELEMETRY_MIGRATIONS });

/** Opens the store and migrates both schemas. A relative path is relative to the current folder. */
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
    const database = await open({ path, synchronous: "full" }, KNOWLEDGE_SCHEMA);
    const telemetry = await open(
      { path: telemetryPathOf(path), synchronous: "normal" },
      telemetrySchema(SCHEMA_RECORD),
    );
    clock = await startStoreClock(database, {
      // Looks up `Date.now` on each call, so that tests can replace it.
      wall: () => Date.now(),
      steady: () => performance.now(),
      onSetBack: onClockSetBack,
    });
    return { database, telemetry, now: clock.now, listen: () => NO_NOTIFICATIONS, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openPostgresStore(
  url: string,
  {
    mustExist = false,
    connections = DEFAULT_CONNECTIONS,
    beforeMigrate = assertNotMoving,
    statementTimeoutMs,
  }: StoreOptions,
): Promise<Store> {
  const { openPostgresDatabase } = await import("./postgres/postgres-database.ts");
  const database = openPostgresDatabase({
    url,
    connections,
    ...(statementTimeoutMs === undefined ? {} : { statementTimeoutMs }),
  });
  let clock: DatabaseClock | null = null;
  const close = async (): Promise<void> => {
    clock?.stop();
    await database.close();
  };
  try {
    if (mustExist) await assertUsed(database);
    await beforeMigrate(database);
    clock = await startDatabaseClock(database.readTime);
    await migrateSchema(database, KNOWLEDGE_SCHEMA, clock.now);
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
  throw new KodiaiError("config", "the database in DATABASE_URL has no Kodiai tables yet", {
    hint: "Use the server's DATABASE_URL. `kodiai serve` creates the tables when it first starts.",
  });
}

export function sqlitePathOf(url: string): string {
  // Other tools write `sqlite://PATH`.
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1];
  if (path !== undefined && !/^(?::memory:|file:)/.test(path)) return path;
  // The message leaves out the address, which may contain a password.
  throw new KodiaiError("config", "DATABASE_URL doesn't name a database that Kodiai can use", {
    hint: "Set it to sqlite:PATH, for example sqlite:./data/kodiai.db, or to postgres://USER:PASSWORD@HOST/DATABASE.",
  });
}

/** data/kodiai.db → data/kodiai-telemetry.db */
export function telemetryPathOf(path: string): string {
  const { name, ext } = parse(path);
  return `${path.slice(0, path.length - name.length - ext.length)}${name}-telemetry${ext}`;
}

export function noDatabase(path: string): KodiaiError {
  return new KodiaiError("config", `there is no database at ${path}`, {
    hint: "Run the command in the server's folder, or use the server's DATABASE_URL.",
  });
}
