/** Reads a row of runs. */
import type { Row } from "../database.ts";
import type { Run, RunStatus } from "./runs.ts";

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
