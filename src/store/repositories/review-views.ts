/** Reviews as they were published, for readers who open them later. The content is opaque here. */
import { type Sql, toStorableText } from "../database.ts";

export type ReviewViewRow = { readonly runId: number; readonly at: number; readonly body: string };

/** Replaces an earlier view of the run. */
export async function writeReviewView({ runId, at, body }: ReviewViewRow, sql: Sql): Promise<void> {
  await sql.query(
    `insert into review_views (run_id, at, body) values ($1, $2, $3)
     on conflict (run_id) do update set at = excluded.at, body = excluded.body`,
    [runId, at, toStorableText(body)],
  );
}

/** JSON. Null for a review of an older version, or one that is older than views are kept. */
export async function readReviewViewText(runId: number, sql: Sql): Promise<string | null> {
  const [row] = await sql.query<{ body: string }>("select body from review_views where run_id = $1", [runId]);
  return row?.body ?? null;
}

export async function deleteReviewViewsBefore(timeMs: number, sql: Sql): Promise<void> {
  await sql.query("delete from review_views where at < $1", [timeMs]);
}
