/** Pull requests whose automatic reviews a person has paused. */
import type { Sql } from "../database.ts";

export type Pause = { readonly login: string; readonly at: number };

type PauseKey = { readonly repositoryId: number; readonly pullRequest: number };

/** The first pause stays. */
export async function setPause(
  { repositoryId, pullRequest }: PauseKey,
  pause: Pause,
  sql: Sql,
): Promise<void> {
  await sql.query(
    `insert into pauses (repository_id, pull_request, login, at) values ($1, $2, $3, $4)
     on conflict (repository_id, pull_request) do nothing`,
    [repositoryId, pullRequest, pause.login, pause.at],
  );
}

export async function readPause({ repositoryId, pullRequest }: PauseKey, sql: Sql): Promise<Pause | null> {
  const [row] = await sql.query<{ login: string; at: number }>(
    "select login, at from pauses where repository_id = $1 and pull_request = $2",
    [repositoryId, pullRequest],
  );
  return row === undefined ? null : { login: row.login, at: row.at };
}

/** False if it wasn't paused. */
export async function deletePause({ repositoryId, pullRequest }: PauseKey, sql: Sql): Promise<boolean> {
  const rows = await sql.query(
    "delete from pauses where repository_id = $1 and pull_request = $2 returning login",
    [repositoryId, pullRequest],
  );
  return rows.length > 0;
}
