/** Entries of the notebooks that reviews keep. What is in an entry is the business of who writes it. */
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
 * Each try that fails has lost its number to somebody who wrote another entry of the same run. There are hardly ever two
 * who do, and never a hundred.
 */
const MAX_TRIES = 100;

/** Gives the entry the next number of its run. The statement stands alone: it is durable when the promise resolves. */
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
  throw new Error(`Run ${runId} has no number left for an entry: too many write its notebook at once.`);
}

/** In order. */
export async function readNotebookRows(runId: number, sql: Sql): Promise<readonly NotebookRow[]> {
  return sql.query<NotebookRow>(
    "select number, pass, kind, body from notebook_entries where run_id = $1 order by number",
    [runId],
  );
}

/** Forgets entries from before then; reviews that old are not taken up again. */
export async function deleteNotebookRowsBefore(timeMs: number, sql: Sql): Promise<void> {
  await sql.query("delete from notebook_entries where at < $1", [timeMs]);
}
