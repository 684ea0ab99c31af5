/**
 * Decisions on whether a user may have a model review a pull request, one per run. Code that decides by them first takes the
 * installation's spending lock, in the same transaction.
 */
import type { Sql } from "../database.ts";

export type ModelRequestOutcome =
  | "granted"
  | "refused"
  /** Refused, with a notice on the pull request. */
  | "answered";

export type ModelRequest = {
  readonly runId: number;
  readonly repositoryId: number;
  readonly pullRequest: number;
  /** Job of the request that was granted or refused. */
  readonly jobId: number;
  readonly login: string;
  readonly requesterClass: string;
  readonly outcome: ModelRequestOutcome;
  readonly at: number;
};

export async function readModelRequests(
  {
    repositoryId,
    pullRequest,
    sinceMs,
  }: Pick<ModelRequest, "repositoryId" | "pullRequest"> & { readonly sinceMs: number },
  sql: Sql,
): Promise<readonly ModelRequest[]> {
  const rows = await sql.query<{
    run_id: number;
    job_id: number;
    login: string;
    asker_class: string;
    outcome: ModelRequestOutcome;
    at: number;
  }>(
    `select run_id, job_id, login, asker_class, outcome, at from model_requests
     where repository_id = $1 and pull_request = $2 and at > $3 order by at`,
    [repositoryId, pullRequest, sinceMs],
  );
  return rows.map(({ run_id: runId, job_id: jobId, asker_class: requesterClass, ...rest }) => ({
    ...rest,
    runId,
    jobId,
    requesterClass,
    repositoryId,
    pullRequest,
  }));
}

/** How often a person has used models in the repository, without the given run. */
export async function countGrantedTo(
  {
    repositoryId,
    login,
    sinceMs,
    exceptRunId,
  }: Pick<ModelRequest, "repositoryId" | "login"> & {
    readonly sinceMs: number;
    readonly exceptRunId: number;
  },
  sql: Sql,
): Promise<number> {
  const [row] = await sql.query<{ granted: number }>(
    `select count(*) as granted from model_requests
     where repository_id = $1 and login = $2 and at > $3 and outcome = 'granted' and run_id <> $4`,
    [repositoryId, login, sinceMs, exceptRunId],
  );
  return row?.granted ?? 0;
}

/** A run that restarts is decided again. A granted request stays granted from its first time. */
export async function saveModelRequest(request: ModelRequest, sql: Sql): Promise<void> {
  const { runId, repositoryId, pullRequest, jobId, login, requesterClass, outcome, at } = request;
  await sql.query(
    `insert into model_requests
       (run_id, repository_id, pull_request, job_id, login, asker_class, outcome, at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (run_id) do update set
       job_id = excluded.job_id, login = excluded.login, asker_class = excluded.asker_class,
       outcome = excluded.outcome, at = excluded.at
     where model_requests.outcome <> 'granted'`,
    [runId, repositoryId, pullRequest, jobId, login, requesterClass, outcome, at],
  );
}

export async function deleteModelRequestsBefore(timeMs: number, sql: Sql): Promise<void> {
  await sql.query("delete from model_requests where at < $1", [timeMs]);
}
