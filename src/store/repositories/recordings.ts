/** Compressed recordings of reviews, for replay. The recorder masks secrets before it stores them. */
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { KodiaiError, messageOf } from "../../base/errors.ts";
import type { Sql } from "../database.ts";

const compress = promisify(gzip);
const expand = promisify(gunzip);

// A long review of a large change takes about 1 MB compressed. Rows beyond this limit would slow down backups and moves.
const MAX_COMPRESSED_BYTES = 8_000_000;

// Text compresses to about a tenth. A body that expands far more is damaged and must not exhaust the memory.
const MAX_EXPANDED_BYTES = 512_000_000;

export type Recording = { readonly runId: number; readonly at: number; readonly content: unknown };

/** Replaces an earlier recording of the run. False if it is too large to store. */
export async function saveRecording({ runId, at, content }: Recording, sql: Sql): Promise<boolean> {
  const body = await compress(JSON.stringify(content));
  if (body.length > MAX_COMPRESSED_BYTES) return false;
  await sql.query(
    `insert into recordings (run_id, at, body) values ($1, $2, $3)
     on conflict (run_id) do update set at = excluded.at, body = excluded.body`,
    [runId, at, new Uint8Array(body)],
  );
  return true;
}

/** Null if there is none. */
export async function readRecording(runId: number, sql: Sql): Promise<Recording | null> {
  const [row] = await sql.query<{ at: number; body: Uint8Array }>(
    "select at, body from recordings where run_id = $1",
    [runId],
  );
  if (row === undefined) return null;
  return { runId, at: row.at, content: await parseBody(runId, row.body) };
}

/** Returns the runs that have a recording. */
export async function recordedRuns(runIds: readonly number[], sql: Sql): Promise<ReadonlySet<number>> {
  const recorded = new Set<number>();
  for (const runId of runIds) {
    const rows = await sql.query("select run_id from recordings where run_id = $1", [runId]);
    if (rows.length > 0) recorded.add(runId);
  }
  return recorded;
}

async function parseBody(runId: number, body: Uint8Array): Promise<unknown> {
  try {
    const text = await expand(body, { maxOutputLength: MAX_EXPANDED_BYTES });
    return JSON.parse(text.toString());
  } catch (error) {
    throw new KodiaiError("database", `the recording of run ${runId} can't be read: ${messageOf(error)}`, {
      hint: "It is damaged. Restore a backup of the database, or review the pull request again to get a new recording.",
      cause: error,
    });
  }
}

/** Returns the number of deleted recordings. */
export async function deleteRecordingsBefore(timeMs: number, sql: Sql): Promise<number> {
  const rows = await sql.query("delete from recordings where at < $1 returning run_id", [timeMs]);
  return rows.length;
}
