/** Caches facts about authors, so that not every review has to query the forge. */
import type { Sql } from "../database.ts";

export type Author = {
  readonly repositoryId: number;
  readonly login: string;
  readonly mergedPullRequests: number;
  readonly readAt: number;
};

/** Null if there is no entry that was read after `newerThan`. */
export async function readAuthor(
  repositoryId: number,
  login: string,
  newerThan: number,
  sql: Sql,
): Promise<Author | null> {
  const [row] = await sql.query<{ merged_pull_requests: number; read_at: number }>(
    `select merged_pull_requests, read_at from author_cache
     where repository_id = $1 and login = $2 and read_at > $3`,
    [repositoryId, login, newerThan],
  );
  if (row === undefined) return null;
  return { repositoryId, login, mergedPullRequests: row.merged_pull_requests, readAt: row.read_at };
}

export async function rememberAuthor(author: Author, sql: Sql): Promise<void> {
  await sql.query(
    `insert into author_cache (repository_id, login, merged_pull_requests, read_at) values ($1, $2, $3, $4)
     on conflict (repository_id, login) do update set
       merged_pull_requests = excluded.merged_pull_requests, read_at = excluded.read_at`,
    [author.repositoryId, author.login, author.mergedPullRequests, author.readAt],
  );
}
