/** Notebook entries of reviews. The content of an entry is opaque here. */
import type { Sql } from "../database.ts";

export type NotebookRow = {
  readonly number: number;
  readonly pass: string;
  readonly kind: string;
  /** JSON. */
  readonly body: string;
};

export type NewNotebookRow = Omit<NotebookRow, "number"> & { readonly runId: number; readonly at: number };

/**
 * An attempt fails when a concurrent writer of the same run took the number first. There are rarely two writers and never a
 * hundred.
 */
const MAX_TRIES = 100;

/** Appends an entry with the next number of its run. It is durable when the promise resolves, because it uses no transaction. */
export async function appendNotebookRow(
  { runId, pass, kind, body, at }: NewNotebookRow,
  sql: Sql,
): Promise<number> {
  for (let tried = 0; tried < MAX_TRIES; tried++) {
    const [row] = await sql.query<{ number: number }>(
      `insert into notebook_entries (run_id, number, pass, kind, body, at)
       values ($1, (select coalesce(max(number), 0) + 1 from notebook_entries where run_id = $1), $2, $3, $4, $5)
       on conflict (run_id, number) do nothing returning number`,
      [runId, pass, kind, body, at],
    );
    if (row !== undefined) return row.number;
  }
  throw new Error(`Run ${runId} got no number for a notebook entry: too many concurrent writers.`);
}

/** In order. */
export async function readNotebookRows(runId: number, sql: Sql): Promise<readonly NotebookRow[]> {
  return sql.query<NotebookRow>(
    "select number, pass, kind, body from notebook_entries where run_id = $1 order by number",
    [runId],
  );
}

/** When each attempt at a pass ended, in order. */
export async function readPassEnds(
  runId: number,
  sql: Sql,
): Promise<readonly { readonly pass: string; readonly at: number }[]> {
  return sql.query<{ pass: string; at: number }>(
    "select pass, at from notebook_entries where run_id = $1 and kind = 'outcome' order by number",
    [runId],
  );
}

/** Deletes entries from before then. Reviews that old are never resumed. */
export async function deleteNotebookRowsBefore(timeMs: number, sql: Sql): Promise<void> {
  await sql.query("delete from notebook_entries where at < $1", [timeMs]);
}
