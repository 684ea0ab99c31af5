/** Keeps what each run has read, for the runs after it. The content is opaque here. */
import type { Sql } from "../database.ts";

export type RunReadingsRow = { readonly config: string; readonly readings: string };

export async function writeRunReadings(
  runId: number,
  { config, readings }: RunReadingsRow,
  sql: Sql,
): Promise<void> {
  await sql.query(
    `insert into run_readings (run_id, config, readings) values ($1, $2, $3)
     on conflict (run_id) do update set config = excluded.config, readings = excluded.readings`,
    [runId, config, readings],
  );
}

export type ReviewedRun = RunReadingsRow & { readonly base: string; readonly head: string };

/** Returns the last runs that reviewed the change completely or partially, newest first. */
export async function readReviewedRuns(
  { repositoryId, pullRequest }: { readonly repositoryId: number; readonly pullRequest: number },
  maxRuns: number,
  sql: Sql,
): Promise<readonly ReviewedRun[]> {
  return sql.query<ReviewedRun>(
    `select runs.base as base, runs.head as head, run_readings.config as config, run_readings.readings as readings
     from runs join run_readings on run_readings.run_id = runs.id
     where runs.repository_id = $1 and runs.pull_request = $2 and runs.status in ('completed', 'partial')
     order by runs.finished_at desc, runs.id desc limit $3`,
    [repositoryId, pullRequest, maxRuns],
  );
}
