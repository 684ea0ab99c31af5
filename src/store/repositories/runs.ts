/**
 * Runs: one job's work on one head of a pull request. A completed or partial run never changes again, so later runs can't
 * lose the last reviewed head. A run without a head answers a mention, on a pull request or an issue; it is no review.
 */
import type { Sql } from "../database.ts";
import { type Run, type RunRequest, type RunStatus, toRun } from "./to-run.ts";

export type RunEnd = {
  readonly status: Exclude<RunStatus, "pending" | "running">;
  readonly reason: string | null;
  readonly findingsTotal: number | null;
  readonly findingsReported: number | null;
  readonly finishedAt: number;
  /** Of a review that was published. Left out: it has none. */
  readonly mode?: string;
};

/** The reason of a run that an outage of a model's provider left without the model, at least for a part of the change. */
export const MODEL_UNAVAILABLE = "model-unavailable";

export type PullRequestHead = {
  readonly repositoryId: number;
  readonly pullRequest: number;
  readonly head: string;
};

/**
 * Starts a run, or resumes the one that an earlier attempt of the same job started for the same head. A completed run is
 * returned unchanged.
 */
export async function claimRun(request: RunRequest, sql: Sql): Promise<Run> {
  const [claimed] = await sql.query(
    `insert into runs (job_id, installation_id, repository_id, repository, pull_request, base, head, triggers, status, started_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'running', $9)
     on conflict (job_id, head) do update set
       base = excluded.base, triggers = excluded.triggers, status = 'running', started_at = excluded.started_at,
       reason = null, findings_total = null, findings_told = null, finished_at = null
     where runs.status not in ('completed', 'partial', 'answered')
     returning *`,
    [
      request.jobId,
      request.installationId,
      request.repositoryId,
      request.repository,
      request.pullRequest,
      request.base,
      request.head,
      request.triggers,
      request.startedAt,
    ],
  );
  if (claimed !== undefined) return toRun(claimed);
  const [completed] = await sql.query("select * from runs where job_id = $1 and head = $2", [
    request.jobId,
    request.head,
  ]);
  if (completed === undefined) throw new Error("A run was neither inserted nor found.");
  return toRun(completed);
}

/** False if the run was already completed; a worker that lost its lease changes nothing. */
export async function finishRun(runId: number, end: RunEnd, sql: Sql): Promise<boolean> {
  const rows = await sql.query(
    `update runs set status = $2, reason = $3, findings_total = $4, findings_told = $5, finished_at = $6, mode = $7
     where id = $1 and status not in ('completed', 'partial', 'answered') returning id`,
    [
      runId,
      end.status,
      end.reason,
      end.findingsTotal,
      end.findingsReported,
      end.finishedAt,
      end.mode ?? null,
    ],
  );
  return rows.length > 0;
}

/** Returns the newest run that reviewed the change completely or partially. */
export async function lastCompletedRun(
  repositoryId: number,
  pullRequest: number,
  sql: Sql,
): Promise<Run | null> {
  const [row] = await sql.query(
    `select * from runs where repository_id = $1 and pull_request = $2 and status in ('completed', 'partial')
     order by finished_at desc, id desc limit 1`,
    [repositoryId, pullRequest],
  );
  return row === undefined ? null : toRun(row);
}

/** Whether the summary on a pull request comes from a skipped review that no later review has replaced. */
export async function isSummaryOfSkipped(
  repositoryId: number,
  pullRequest: number,
  sql: Sql,
): Promise<boolean> {
  const [row] = await sql.query<{ status: RunStatus }>(
    `select status from runs where repository_id = $1 and pull_request = $2
     and (status in ('completed', 'partial') or (status = 'skipped' and findings_told > 0))
     order by finished_at desc, id desc limit 1`,
    [repositoryId, pullRequest],
  );
  return row?.status === "skipped";
}

/** Whether this head was reviewed or deliberately skipped. A refused request doesn't count. */
export async function hasOutcome(
  { repositoryId, pullRequest, head }: PullRequestHead,
  sql: Sql,
): Promise<boolean> {
  const rows = await sql.query(
    `select id from runs where repository_id = $1 and pull_request = $2 and head = $3
     and status in ('completed', 'partial', 'skipped')
     and coalesce(reason, '') <> 'skipped:request-limit' limit 1`,
    [repositoryId, pullRequest, head],
  );
  return rows.length > 0;
}

/** The reviews of a pull request that finished after `sinceMs`, oldest first. */
export async function readRunsFinishedSince(
  { repositoryId, pullRequest, sinceMs }: Omit<PullRequestHead, "head"> & { readonly sinceMs: number },
  sql: Sql,
): Promise<readonly Run[]> {
  const rows = await sql.query(
    `select * from runs where repository_id = $1 and pull_request = $2 and finished_at > $3 and head <> ''
     order by finished_at, id`,
    [repositoryId, pullRequest, sinceMs],
  );
  return rows.map(toRun);
}

/** A run that a provider's outage left without the model. */
export type OutageRun = Pick<Run, "id" | "jobId" | "repositoryId" | "pullRequest" | "head"> & {
  readonly finishedAt: number;
  /** Runs at the same head that were started because of such an outage, however they ended. */
  readonly tries: number;
};

/**
 * Finds the last reviews of their pull requests that an outage left without the model, newest first. One that a run of another head
 * followed isn't among them, nor one whose head is being reviewed again.
 */
export async function readOutageRuns(
  { trigger, sinceMs, limit }: { readonly trigger: string; readonly sinceMs: number; readonly limit: number },
  sql: Sql,
): Promise<readonly OutageRun[]> {
  const rows = await sql.query<{
    id: number;
    job_id: number;
    repository_id: number;
    pull_request: number;
    head: string;
    finished_at: number;
    tries: number;
  }>(
    `select id, job_id, repository_id, pull_request, head, finished_at,
       (select count(*) from runs as again where again.repository_id = last.repository_id
        and again.pull_request = last.pull_request and again.head = last.head
        and ',' || again.triggers || ',' like '%,' || $1 || ',%') as tries
     from runs as last
     where reason = $2 and finished_at > $3 and not exists (
       select 1 from runs as later where later.repository_id = last.repository_id
       and later.pull_request = last.pull_request and later.id > last.id and later.head <> ''
       and (later.head <> last.head or later.status in ('pending', 'running', 'completed', 'partial')))
     order by finished_at desc, id desc limit $4`,
    [trigger, MODEL_UNAVAILABLE, sinceMs, limit],
  );
  return rows.map(({ id, head, tries, ...row }) => ({
    id,
    jobId: row.job_id,
    repositoryId: row.repository_id,
    pullRequest: row.pull_request,
    head,
    finishedAt: row.finished_at,
    tries,
  }));
}

/** Oldest first. */
export async function readRunsOfJob(jobId: number, sql: Sql): Promise<readonly Run[]> {
  const rows = await sql.query("select * from runs where job_id = $1 order by id", [jobId]);
  return rows.map(toRun);
}
