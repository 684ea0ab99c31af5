/** Counts of rejected webhooks per reason and day. Counts only, so that garbage requests can't fill the disk. */
import type { Sql } from "../database.ts";

export type Rejection = {
  readonly reason: string;
  /** Day in UTC, as 2025-12-31. */
  readonly day: string;
  readonly count: number;
  readonly lastAt: number;
};

/** Adds to the counts of the day of `atMs`. Reasons are fixed strings, never text from a request. */
export async function recordRejections(
  counts: ReadonlyMap<string, number>,
  atMs: number,
  sql: Sql,
): Promise<void> {
  const day = new Date(atMs).toISOString().slice(0, 10);
  for (const [reason, count] of counts) {
    await sql.query(
      `insert into rejections (reason, day, count, last_at) values ($1, $2, $3, $4)
       on conflict (reason, day) do update set
         count = rejections.count + excluded.count,
         last_at = case when excluded.last_at > rejections.last_at then excluded.last_at else rejections.last_at end`,
      [reason, day, count, atMs],
    );
  }
}

export async function deleteRejectionsBefore(timeMs: number, sql: Sql): Promise<void> {
  await sql.query("delete from rejections where last_at < $1", [timeMs]);
}

/** Newest first. */
export async function listRejections(limit: number, sql: Sql): Promise<readonly Rejection[]> {
  const rows = await sql.query<{ reason: string; day: string; count: number; last_at: number }>(
    "select reason, day, count, last_at from rejections order by last_at desc, reason limit $1",
    [limit],
  );
  return rows.map(({ reason, day, count, last_at: lastAt }) => ({ reason, day, count, lastAt }));
}
