/** When each pull request with reported findings is to be read again for reactions, which the host sends no event for. */
import type { Row, Sql } from "../database.ts";

export type FeedbackPoll = {
  readonly repositoryId: number;
  readonly pullRequest: number;
  readonly installationId: number;
  /** `owner/name`. */
  readonly repository: string;
  /** Null while the pull request is open. All times are milliseconds since 1970. */
  readonly closedAt: number | null;
  /** When its signals last changed. */
  readonly changedAt: number;
  readonly nextAt: number;
};

/** Writes the poll of a pull request. In a transaction, it also keeps others from writing its signals at the same time. */
export async function writeFeedbackPoll(poll: FeedbackPoll, sql: Sql): Promise<void> {
  await sql.query(
    `insert into feedback_polls (repository_id, pull_request, installation_id, repository, closed_at, changed_at, next_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (repository_id, pull_request) do update set installation_id = excluded.installation_id,
       repository = excluded.repository, closed_at = excluded.closed_at, changed_at = excluded.changed_at,
       next_at = excluded.next_at`,
    [
      poll.repositoryId,
      poll.pullRequest,
      poll.installationId,
      poll.repository,
      poll.closedAt,
      poll.changedAt,
      poll.nextAt,
    ],
  );
}

export async function readFeedbackPoll(
  repositoryId: number,
  pullRequest: number,
  sql: Sql,
): Promise<FeedbackPoll | null> {
  const [row] = await sql.query(
    "select * from feedback_polls where repository_id = $1 and pull_request = $2",
    [repositoryId, pullRequest],
  );
  return row === undefined ? null : toPoll(row);
}

/** Returns the polls that are due, the longest overdue first, and puts them off, so that each is returned once. */
export async function takeDuePolls(
  { now, putOffUntil, limit }: { readonly now: number; readonly putOffUntil: number; readonly limit: number },
  sql: Sql,
): Promise<readonly FeedbackPoll[]> {
  const rows = await sql.query(
    `select * from feedback_polls where next_at <= $1 order by next_at, repository_id, pull_request limit $2`,
    [now, limit],
  );
  for (const row of rows)
    await sql.query("update feedback_polls set next_at = $3 where repository_id = $1 and pull_request = $2", [
      row["repository_id"] as number,
      row["pull_request"] as number,
      putOffUntil,
    ]);
  return rows.map(toPoll);
}

export async function deleteFeedbackPoll(repositoryId: number, pullRequest: number, sql: Sql): Promise<void> {
  await sql.query("delete from feedback_polls where repository_id = $1 and pull_request = $2", [
    repositoryId,
    pullRequest,
  ]);
}

export async function deleteFeedbackPollsOf(repositoryId: number, sql: Sql): Promise<void> {
  await sql.query("delete from feedback_polls where repository_id = $1", [repositoryId]);
}

/** Each `as` names the type its column has in the migrations. */
function toPoll(row: Row): FeedbackPoll {
  return {
    repositoryId: row["repository_id"] as number,
    pullRequest: row["pull_request"] as number,
    installationId: row["installation_id"] as number,
    repository: row["repository"] as string,
    closedAt: row["closed_at"] as number | null,
    changedAt: row["changed_at"] as number,
    nextAt: row["next_at"] as number,
  };
}
