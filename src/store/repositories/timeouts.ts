/** Reviews that timed out. Authors whose changes time out repeatedly get no second attempt. */
import type { Sql } from "../database.ts";

export type ReviewTimeout = {
  readonly runId: number;
  readonly repositoryId: number;
  readonly author: string;
  readonly at: number;
};

/** A review counts once, however often its timeout is recorded. */
export async function recordTimeout(
  { runId, repositoryId, author, at }: ReviewTimeout,
  sql: Sql,
): Promise<void> {
  await sql.query(
    `insert into review_timeouts (run_id, repository_id, author, at) values ($1, $2, $3, $4)
     on conflict (run_id) do nothing`,
    [runId, repositoryId, author, at],
  );
}

/** Counts the reviews of this author's changes in this repository that timed out since then. */
export async function countTimeouts(
  {
    repositoryId,
    author,
    sinceMs,
  }: Pick<ReviewTimeout, "repositoryId" | "author"> & { readonly sinceMs: number },
  sql: Sql,
): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    "select count(*) as count from review_timeouts where repository_id = $1 and author = $2 and at >= $3",
    [repositoryId, author, sinceMs],
  );
  return row?.count ?? 0;
}

export async function deleteTimeoutsBefore(timeMs: number, sql: Sql): Promise<void> {
  await sql.query("delete from review_timeouts where at < $1", [timeMs]);
}
