/** A run as stored, and how a row of runs is read. */
import type { Row } from "../database.ts";

/** `answered`: a mention got its answer. */
export type RunStatus =
  | "pending"
  | "running"
  | "completed"
  | "partial"
  | "answered"
  | "failed"
  | "superseded"
  | "skipped";

export type RunRequest = {
  readonly jobId: number;
  readonly installationId: number;
  readonly repositoryId: number;
  /** For display: acme/shop. */
  readonly repository: string;
  readonly pullRequest: number;
  readonly base: string;
  /** "" for an answer to a mention. */
  readonly head: string;
  /** The triggers of the run, separated by commas. */
  readonly triggers: string;
  readonly startedAt: number;
};

export type Run = RunRequest & {
  readonly id: number;
  readonly status: RunStatus;
  readonly reason: string | null;
  readonly findingsTotal: number | null;
  readonly findingsReported: number | null;
  readonly finishedAt: number | null;
};

/** Each `as` names the type its column has in the migration. */
export function toRun(row: Row): Run {
  return {
    id: row["id"] as number,
    jobId: row["job_id"] as number,
    installationId: row["installation_id"] as number,
    repositoryId: row["repository_id"] as number,
    repository: row["repository"] as string,
    pullRequest: row["pull_request"] as number,
    base: row["base"] as string,
    head: row["head"] as string,
    triggers: row["triggers"] as string,
    status: row["status"] as RunStatus,
    reason: row["reason"] as string | null,
    findingsTotal: row["findings_total"] as number | null,
    findingsReported: row["findings_told"] as number | null,
    startedAt: row["started_at"] as number,
    finishedAt: row["finished_at"] as number | null,
  };
}
