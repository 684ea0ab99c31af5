/** The last publication of each pull request. The content is opaque here; only the version that wrote it can read it. */
import type { Sql } from "../database.ts";

type Key = { readonly repositoryId: number; readonly pullRequest: number; readonly version: string };

/** Replaces an earlier one. Null deletes it: the review is too large to be kept. */
export async function writeKeptPublication(
  { repositoryId, pullRequest, version }: Key,
  { at, body }: { readonly at: number; readonly body: string | null },
  sql: Sql,
): Promise<void> {
  if (body === null)
    await sql.query("delete from kept_publications where repository_id = $1 and pull_request = $2", [
      repositoryId,
      pullRequest,
    ]);
  else
    await sql.query(
      `insert into kept_publications (repository_id, pull_request, version, at, body) values ($1, $2, $3, $4, $5)
       on conflict (repository_id, pull_request) do update set
         version = excluded.version, at = excluded.at, body = excluded.body`,
      [repositoryId, pullRequest, version, at, body],
    );
}

/** Null without one, and for one of another version. */
export async function readKeptPublication(
  { repositoryId, pullRequest, version }: Key,
  sql: Sql,
): Promise<string | null> {
  const [row] = await sql.query<{ body: string }>(
    "select body from kept_publications where repository_id = $1 and pull_request = $2 and version = $3",
    [repositoryId, pullRequest, version],
  );
  return row?.body ?? null;
}

export async function deleteKeptPublicationsBefore(timeMs: number, sql: Sql): Promise<void> {
  await sql.query("delete from kept_publications where at < $1", [timeMs]);
}
