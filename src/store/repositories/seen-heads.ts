/**
 * The heads of pull requests as the host reported them, each with the host's own time. They tell which commit was the head when a person
 * wrote a comment.
 */
import type { Sql } from "../database.ts";
import { inBatchesAtOnce, rowsOf } from "../many-rows.ts";

export type SeenHead = {
  readonly repositoryId: number;
  readonly pullRequest: number;
  readonly head: string;
  /** The host's time; milliseconds since 1970. */
  readonly seenAt: number;
};

export async function saveSeenHeads(heads: readonly SeenHead[], sql: Sql): Promise<void> {
  await inBatchesAtOnce(heads, (batch) =>
    sql.query(
      `insert into seen_heads (repository_id, pull_request, seen_at, head) values ${rowsOf(batch.length, 4)}
       on conflict (repository_id, pull_request, seen_at, head) do nothing`,
      batch.flatMap(({ repositoryId, pullRequest, seenAt, head }) => [
        repositoryId,
        pullRequest,
        seenAt,
        head,
      ]),
    ),
  );
}

/** The last heads before a time. Several if they were seen at the same time, so that their order is unknown. */
export async function readHeadsBefore(
  { repositoryId, pullRequest }: Pick<SeenHead, "repositoryId" | "pullRequest">,
  timeMs: number,
  sql: Sql,
): Promise<readonly string[]> {
  const rows = await sql.query<{ head: string }>(
    `select head from seen_heads where repository_id = $1 and pull_request = $2 and seen_at = (
       select max(seen_at) from seen_heads where repository_id = $1 and pull_request = $2 and seen_at < $3)`,
    [repositoryId, pullRequest, timeMs],
  );
  return rows.map(({ head }) => head);
}

export async function deleteSeenHeadsBefore(timeMs: number, sql: Sql): Promise<void> {
  await sql.query("delete from seen_heads where seen_at < $1", [timeMs]);
}
