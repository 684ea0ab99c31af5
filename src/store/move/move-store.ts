/**
 * Moves an installation from SQLite to PostgreSQL: copies every table, compares every row, and only then makes the new
 * database usable. A move can be interrupted at any point and run again. It only reads the source.
 */
import { count } from "../../base/count.ts";
import { createHash } from "node:crypto";
import { KodiaiError } from "../../base/errors.ts";
import { reachFaultPoint } from "../../base/fault-point.ts";
import type { Database, Sql } from "../database.ts";
import { KNOWLEDGE_MIGRATIONS, TELEMETRY_MIGRATIONS } from "../migrations/all-migrations.ts";
import { openStore, SCHEMA_RECORD, sqlitePathOf, type Store } from "../store.ts";
import { copyTable, stopIfAborted } from "./copy-table.ts";
import {
  type Finished,
  type MoveOrigin,
  readFinished,
  readUnfinished,
  recordBeginning,
  recordEnd,
  type Unfinished,
} from "./move-record.ts";
import type { MoveReport, MovedTable, MoveControls } from "./move-report.ts";
import type { Tally } from "./rows.ts";
import { assertMovable, countRows, tallySource } from "./source-rows.ts";
import { assertSameColumns, type NotCopied, readSourceTables, type Table } from "./tables.ts";
import { findUsedTable, tallyTarget } from "./target-rows.ts";

export type MoveSource = MoveOrigin & {
  readonly store: Store;
  readonly tables: readonly SourceTable[];
};

type SourceTable = Table & { readonly database: Database };

const SCHEMA_STEPS = KNOWLEDGE_MIGRATIONS.length + TELEMETRY_MIGRATIONS.length;

/**
 * Opens the source and migrates an older schema, but changes nothing else. Throws if the source holds values that PostgreSQL
 * can't store.
 */
export async function openMoveSource(url: string, notCopied: readonly NotCopied[]): Promise<MoveSource> {
  const path = sqlitePathOf(url);
  const store = await openStore(url).catch((error: unknown) => {
    throw inSource(error, path);
  });
  try {
    const tables: SourceTable[] = [];
    for (const database of [store.database, store.telemetry]) {
      const found = await readSourceTables(database, { record: SCHEMA_RECORD, notCopied });
      tables.push(...found.map((table) => ({ ...table, database })));
    }
    for (const table of tables) await assertMovable(table, table.database);
    return { id: await identify(store.database), path, store, tables };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Adds the path, because the message alone doesn't show which of the two databases it is about. */
function inSource(error: unknown, path: string): unknown {
  if (!(error instanceof KodiaiError)) return error;
  const { code, message, hint, retryable } = error;
  return new KodiaiError(code, `${path} can't be moved: ${message}`, { hint, retryable, cause: error });
}

/** Identifies a database by its creation time, which its copies share. If two databases share it, the comparison fails. */
async function identify(sql: Sql): Promise<string> {
  const [first] = await sql.query<{ applied_at: number }>(
    `select applied_at from ${SCHEMA_RECORD} order by number limit 1`,
  );
  return createHash("sha256").update(`kodiai ${first?.applied_at}`).digest("hex");
}

/**
 * Opens the target. It must be empty, or hold an unfinished or finished move of this source. Otherwise it throws before it
 * changes anything.
 */
export function openMoveTarget(url: string, source: MoveSource): Promise<Store> {
  const beforeMigrate = async (sql: Sql): Promise<void> => {
    const before = (await readUnfinished(sql)) ?? (await readFinished(sql));
    if (before === null) await assertEmpty(source, sql);
    else if (before.id !== source.id) throw otherSource(before);
  };
  return openStore(url, { connections: MOVE_CONNECTIONS, beforeMigrate });
}

/** The move works sequentially, but pg-boss needs a connection while a transaction is open. */
const MOVE_CONNECTIONS = 2;

async function assertEmpty({ tables }: MoveSource, sql: Sql): Promise<void> {
  const used = await findUsedTable(tables, sql);
  if (used === null) return;
  throw new KodiaiError("config", `the database in DATABASE_URL isn't empty: its table ${used} has rows`, {
    hint: "Nothing was changed. Move into a new database (create database …;) and start nothing on it before the move.",
  });
}

function otherSource({ path }: MoveOrigin): KodiaiError {
  return new KodiaiError("config", `the database in DATABASE_URL was filled from another file, ${path}`, {
    hint: "Nothing was changed. Pass that file with --from, or move into a new database: create database …;",
  });
}

export type MoveOptions = {
  readonly controls: MoveControls;
  /** Runs once every row is in place. May run more than once. */
  readonly beforeUse: () => Promise<void>;
};

export async function moveStore(
  source: MoveSource,
  target: Store,
  options: MoveOptions,
): Promise<MoveReport> {
  await assertSameColumns(source.tables, target.database);
  const finished = await readFinished(target.database);
  if (finished !== null) return compareAgain(finished, source, target, options.controls);
  const begun = await beginMove(source, target);
  reachFaultPoint("move-begun");
  for (const table of source.tables)
    await copyTable(table, table.database, target.database, options.controls);
  reachFaultPoint("move-copied");
  const tables = await compareTables(source, target, options.controls);
  const different = tables.filter(({ isSame }) => !isSame);
  if (different.length > 0) throw mismatch(different);
  reachFaultPoint("move-compared");
  await options.beforeUse();
  reachFaultPoint("move-in-line");
  const movedAt = target.now();
  await recordEnd(
    { ...begun, finishedAt: movedAt, schemaSteps: SCHEMA_STEPS, tallies: talliesOf(tables) },
    target.database,
  );
  return { outcome: "moved", movedAt, tables };
}

async function beginMove(source: MoveSource, { database, now }: Store): Promise<Unfinished> {
  const startedAt = now();
  return database.transaction(async (sql) => {
    if (database.dialect.lockSchema !== null) await sql.query(database.dialect.lockSchema);
    const before = await readUnfinished(sql);
    if (before !== null) return before;
    await assertEmpty(source, sql);
    const begun = { id: source.id, path: source.path, startedAt };
    await recordBeginning(begun, sql);
    return begun;
  });
}

async function compareTables(
  source: MoveSource,
  target: Store,
  { onProgress, signal }: MoveControls,
): Promise<readonly MovedTable[]> {
  const compared: MovedTable[] = [];
  for (const table of source.tables) {
    const total = 2 * (await countRows(table, table.database));
    const report = (done: number): void => {
      stopIfAborted(signal);
      onProgress("comparing", table.name, done, total);
    };
    const here = await tallySource(table, table.database, report);
    const there = await tallyTarget(table, target.database, (rows) => report(here.rows + rows));
    compared.push({
      name: table.name,
      rows: { source: here.rows, target: there.rows },
      checksum: here.checksum,
      isSame: here.rows === there.rows && here.checksum === there.checksum,
      notCopied: table.notCopied.map(({ column }) => column),
    });
  }
  return compared;
}

function talliesOf(tables: readonly MovedTable[]): Readonly<Record<string, Tally>> {
  return Object.fromEntries(
    tables.map(({ name, rows, checksum }) => [name, { rows: rows.source, checksum }] as const),
  );
}

/** Reports whether one of the two databases has been used since an earlier move. */
async function compareAgain(
  finished: Finished,
  source: MoveSource,
  target: Store,
  controls: MoveControls,
): Promise<MoveReport> {
  const movedAt = finished.finishedAt;
  if (finished.schemaSteps !== SCHEMA_STEPS) return { outcome: "updated-since", movedAt, tables: [] };
  const tables = await compareTables(source, target, controls);
  const changed = tables.filter(({ name, checksum }) => finished.tallies[name]?.checksum !== checksum);
  if (changed.length > 0) throw sourceUsedSince(source, finished, changed);
  return { outcome: tables.every(({ isSame }) => isSame) ? "moved-before" : "used-since", movedAt, tables };
}

function mismatch(tables: readonly MovedTable[]): KodiaiError {
  const differences = tables.map(
    ({ name, rows }) => `${name} (${count(rows.source, "row")} in the file, ${rows.target} in PostgreSQL)`,
  );
  return new KodiaiError("database", `the copied tables don't match the source: ${differences.join(", ")}`, {
    hint: "Another program wrote to one of the databases during the move. Stop every process that uses either, drop and recreate the PostgreSQL database, then run the command again.",
  });
}

function sourceUsedSince(
  { path }: MoveSource,
  { finishedAt }: Finished,
  tables: readonly MovedTable[],
): KodiaiError {
  return new KodiaiError(
    "database",
    `${path} was moved on ${new Date(finishedAt).toISOString()} and has been used since: ${tables.map(({ name }) => name).join(", ")}`,
    {
      hint: "Nothing was changed, and PostgreSQL doesn't have the new data. Stop every process that uses the file. To move it again, drop and recreate the PostgreSQL database.",
    },
  );
}
