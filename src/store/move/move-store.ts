/**
 * Moves an installation from SQLite to PostgreSQL: copies every table, compares every row, and only then lets anybody use
 * the new database. It can be interrupted at any point and run again. The source is only read.
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
import type { Moved, MovedTable, MoveWatch } from "./moved.ts";
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
 * Opens what is to be moved. An older schema is brought up to date; nothing else of it is changed. Refuses one that holds
 * what PostgreSQL cannot.
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

/** The message does not say which of the two databases it is about. */
function inSource(error: unknown, path: string): unknown {
  if (!(error instanceof KodiaiError)) return error;
  const { code, message, hint, retryable } = error;
  return new KodiaiError(code, `${path} cannot be moved: ${message}`, { hint, retryable, cause: error });
}

/** By the moment at which it was made, which its copies share. Should another one have the same, the comparison fails. */
async function identify(sql: Sql): Promise<string> {
  const [first] = await sql.query<{ applied_at: number }>(
    `select applied_at from ${SCHEMA_RECORD} order by number limit 1`,
  );
  return createHash("sha256").update(`kodiai ${first?.applied_at}`).digest("hex");
}

/**
 * Opens the database to move to. It must be empty, or have been begun, or filled, by a move of this very source; anything
 * else is refused before anything is changed.
 */
export function openMoveTarget(url: string, source: MoveSource): Promise<Store> {
  const admit = async (sql: Sql): Promise<void> => {
    const before = (await readUnfinished(sql)) ?? (await readFinished(sql));
    if (before === null) await assertEmpty(source, sql);
    else if (before.id !== source.id) throw otherSource(before);
  };
  return openStore(url, { connections: MOVE_CONNECTIONS, admit });
}

/** One thing is done after the other; the job engine looks while a transaction is open. */
const MOVE_CONNECTIONS = 2;

async function assertEmpty({ tables }: MoveSource, sql: Sql): Promise<void> {
  const used = await findUsedTable(tables, sql);
  if (used === null) return;
  throw new KodiaiError("config", `the database of DATABASE_URL is in use: its table ${used} has rows`, {
    hint: "Nothing was changed. Move into a database of its own: create database …; and let nothing run on it before that.",
  });
}

function otherSource({ path }: MoveOrigin): KodiaiError {
  return new KodiaiError("config", `the database of DATABASE_URL was filled from another file, ${path}`, {
    hint: "Nothing was changed. Name that file with --from, or move into a database of its own: create database …;",
  });
}

export type MoveOptions = {
  readonly watch: MoveWatch;
  /** What is left to do when every row is there; may be done more than once. */
  readonly beforeUse: () => Promise<void>;
};

export async function moveStore(source: MoveSource, target: Store, options: MoveOptions): Promise<Moved> {
  await assertSameColumns(source.tables, target.database);
  const finished = await readFinished(target.database);
  if (finished !== null) return compareAgain(finished, source, target, options.watch);
  const begun = await beginMove(source, target);
  reachFaultPoint("move-begun");
  for (const table of source.tables) await copyTable(table, table.database, target.database, options.watch);
  reachFaultPoint("move-copied");
  const tables = await compareTables(source, target, options.watch);
  const different = tables.filter(({ isSame }) => !isSame);
  if (different.length > 0) throw differing(different);
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
  { onProgress, signal }: MoveWatch,
): Promise<readonly MovedTable[]> {
  const compared: MovedTable[] = [];
  for (const table of source.tables) {
    const total = 2 * (await countRows(table, table.database));
    const say = (done: number): void => {
      stopIfAborted(signal);
      onProgress("comparing", table.name, done, total);
    };
    const here = await tallySource(table, table.database, say);
    const there = await tallyTarget(table, target.database, (rows) => say(here.rows + rows));
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

/** It has been moved before. Whether one of the two has been used since is all there is to say. */
async function compareAgain(
  finished: Finished,
  source: MoveSource,
  target: Store,
  watch: MoveWatch,
): Promise<Moved> {
  const movedAt = finished.finishedAt;
  if (finished.schemaSteps !== SCHEMA_STEPS) return { outcome: "updated-since", movedAt, tables: [] };
  const tables = await compareTables(source, target, watch);
  const changed = tables.filter(({ name, checksum }) => finished.tallies[name]?.checksum !== checksum);
  if (changed.length > 0) throw sourceUsedSince(source, finished, changed);
  return { outcome: tables.every(({ isSame }) => isSame) ? "moved-before" : "used-since", movedAt, tables };
}

function differing(tables: readonly MovedTable[]): KodiaiError {
  const said = tables.map(
    ({ name, rows }) => `${name} (${count(rows.source, "row")} in the file, ${rows.target} in PostgreSQL)`,
  );
  return new KodiaiError("database", `what was moved is not the same: ${said.join(", ")}`, {
    hint: "Something has written to one of them meanwhile. Stop every process that uses either, make the database anew (drop and create it), and run it again.",
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
      hint: "What came in there since is not in PostgreSQL, and nothing was changed. Stop whatever still runs on the file. To move it again, make the database anew (drop and create it).",
    },
  );
}
