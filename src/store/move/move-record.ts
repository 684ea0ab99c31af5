/**
 * The record of a move, kept in the target database. The table `unfinished_move` exists from the first row to the last
 * check, and while it exists, Kodiai doesn't start on the database. The progress of each table changes in the transaction
 * that copies its rows, so an interrupted move resumes exactly where it stopped. A finished move is one row in `moves`.
 */
import { KodiaiError } from "../../base/errors.ts";
import type { Database, Sql } from "../database.ts";
import type { Cells, Tally } from "./rows.ts";

export type MoveOrigin = {
  /** Identifies the database, wherever its file is. */
  readonly id: string;
  readonly path: string;
};

export type Unfinished = MoveOrigin & { readonly startedAt: number };

export type Finished = Unfinished & {
  readonly finishedAt: number;
  /** Number of migrations of both schemas. */
  readonly schemaSteps: number;
  /** Row counts and checksums of the source. */
  readonly tallies: Readonly<Record<string, Tally>>;
};

const UNFINISHED_MOVE = "unfinished_move";

async function hasTable(name: string, sql: Sql): Promise<boolean> {
  const [row] = await sql.query<{ is_there: number }>("select to_regclass($1) is not null as is_there", [
    name,
  ]);
  return row?.is_there === 1;
}

/** Throws if the database holds an unfinished move, so that nothing uses it before all rows are there. */
export async function assertNotMoving(sql: Sql): Promise<void> {
  if (!(await hasTable(UNFINISHED_MOVE, sql))) return;
  throw new KodiaiError("config", "the database in DATABASE_URL has an unfinished move from SQLite", {
    hint: "Run `kodiai migrate --from sqlite:PATH` again to resume it, or drop and recreate the database.",
  });
}

export async function readUnfinished(sql: Sql): Promise<Unfinished | null> {
  if (!(await hasTable(UNFINISHED_MOVE, sql))) return null;
  const [row] = await sql.query<{ id: string; path: string; started_at: number }>(
    `select id, path, started_at from ${UNFINISHED_MOVE}`,
  );
  return row === undefined ? null : { id: row.id, path: row.path, startedAt: row.started_at };
}

export async function readFinished(sql: Sql): Promise<Finished | null> {
  if (!(await hasTable("moves", sql))) return null;
  const [row] = await sql.query<{
    id: string;
    path: string;
    started_at: number;
    finished_at: number;
    schema_steps: number;
    tallies: string;
  }>(
    "select id, path, started_at, finished_at, schema_steps, tallies from moves order by finished_at desc limit 1",
  );
  if (row === undefined) return null;
  return {
    id: row.id,
    path: row.path,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    schemaSteps: row.schema_steps,
    // Written by `recordEnd`.
    tallies: JSON.parse(row.tallies) as Finished["tallies"],
  };
}

export async function recordBeginning({ id, path, startedAt }: Unfinished, sql: Sql): Promise<void> {
  await sql.query(
    `create table ${UNFINISHED_MOVE} (id text primary key, path text not null, started_at bigint not null)`,
  );
  await sql.query(
    "create table unfinished_move_tables (name text primary key, last_key text, rows bigint not null)",
  );
  await sql.query(`insert into ${UNFINISHED_MOVE} (id, path, started_at) values ($1, $2, $3)`, [
    id,
    path,
    startedAt,
  ]);
}

export type TableProgress = { readonly lastKey: Cells | null; readonly rows: number };

export async function readProgress(table: string, sql: Sql): Promise<TableProgress> {
  const [row] = await sql.query<{ last_key: string | null; rows: number }>(
    "select last_key, rows from unfinished_move_tables where name = $1",
    [table],
  );
  // Written by `recordProgress`.
  const lastKey = JSON.parse(row?.last_key ?? "null") as Cells | null;
  return { lastKey, rows: row?.rows ?? 0 };
}

/** Runs in the transaction that copies the rows. Throws if another process has changed the record in the meantime. */
export async function recordProgress(
  table: string,
  before: TableProgress,
  after: TableProgress,
  sql: Sql,
): Promise<void> {
  const recorded = await sql.query(
    `insert into unfinished_move_tables (name, last_key, rows) values ($1, $2, $3)
     on conflict (name) do update set last_key = excluded.last_key, rows = excluded.rows
     where unfinished_move_tables.rows = $4
     returning name`,
    [table, JSON.stringify(after.lastKey), after.rows, before.rows],
  );
  if (recorded.length > 0) return;
  throw new KodiaiError("database", "another process is moving the same database", {
    hint: "Wait for it or stop it, then run the command again to check the result.",
  });
}

export async function recordEnd(move: Finished, database: Database): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.query(`create table if not exists moves (
      id text primary key,
      path text not null,
      started_at bigint not null,
      finished_at bigint not null,
      schema_steps bigint not null,
      tallies text not null
    )`);
    await sql.query(
      `insert into moves (id, path, started_at, finished_at, schema_steps, tallies) values ($1, $2, $3, $4, $5, $6)`,
      [move.id, move.path, move.startedAt, move.finishedAt, move.schemaSteps, JSON.stringify(move.tallies)],
    );
    await sql.query(`drop table unfinished_move_tables, ${UNFINISHED_MOVE}`);
  });
}
