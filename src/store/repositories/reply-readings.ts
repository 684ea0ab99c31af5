/** The readings that models made of people's replies to findings. A row is written before the model is asked, so that no reply is paid for twice. */
import type { ReplyReading } from "../../memory/feedback.ts";
import type { Row, Sql } from "../database.ts";

export type ReadingScope = { readonly repositoryId: number; readonly pullRequest: number };

type ReadingKey = ReadingScope & Pick<ReplyReading, "key">;

/** False if a model was asked already. */
export async function claimReplyReading(
  { repositoryId, pullRequest, key, url, at }: ReadingKey & { readonly url: string; readonly at: number },
  sql: Sql,
): Promise<boolean> {
  const rows = await sql.query(
    `insert into reply_readings (repository_id, pull_request, reply, url, verdict, reason, scope, asked_at)
     values ($1, $2, $3, $4, null, '', 'finding', $5)
     on conflict (repository_id, pull_request, reply) do nothing returning reply`,
    [repositoryId, pullRequest, key, url, at],
  );
  return rows.length > 0;
}

/** The model wasn't asked after all. */
export async function releaseReplyReading(
  { repositoryId, pullRequest, key }: ReadingKey,
  sql: Sql,
): Promise<void> {
  await sql.query(
    `delete from reply_readings
     where repository_id = $1 and pull_request = $2 and reply = $3 and verdict is null`,
    [repositoryId, pullRequest, key],
  );
}

export async function keepReplyReading(
  { repositoryId, pullRequest, key }: ReadingKey,
  { verdict, reason, scope }: Pick<ReplyReading, "verdict" | "reason" | "scope">,
  sql: Sql,
): Promise<void> {
  await sql.query(
    `update reply_readings set verdict = $4, reason = $5, scope = $6
     where repository_id = $1 and pull_request = $2 and reply = $3`,
    [repositoryId, pullRequest, key, verdict, reason, scope],
  );
}

/** Newest first. */
export async function readReplyReadings(
  { repositoryId, pullRequest }: ReadingScope,
  sql: Sql,
): Promise<readonly ReplyReading[]> {
  const rows = await sql.query(
    `select * from reply_readings where repository_id = $1 and pull_request = $2 order by asked_at desc, reply`,
    [repositoryId, pullRequest],
  );
  return rows.map(toReading);
}

/** Each \`as\` names the type its column has in the migrations; only this file writes the table. */
function toReading(row: Row): ReplyReading {
  return {
    key: row["reply"] as string,
    url: row["url"] as string,
    verdict: row["verdict"] as ReplyReading["verdict"],
    reason: row["reason"] as string,
    scope: row["scope"] as ReplyReading["scope"],
  };
}
