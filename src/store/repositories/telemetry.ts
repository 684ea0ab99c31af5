/** Measurements in the telemetry database. Losing them costs an operator some figures, never a review. */
import type { Database, Sql } from "../database.ts";

export type Execution = {
  readonly jobId: number;
  readonly kind: string;
  readonly repository: string | null;
  /** Final state and reason of the job. */
  readonly outcome: string;
  readonly startedAt: number;
  readonly ms: number;
  readonly attempts: number;
};

export type DegradationRow = {
  readonly jobId: number;
  readonly what: string;
  readonly message: string;
  readonly count: number;
  readonly at: number;
};

export type RateLimitRow = {
  readonly at: number;
  readonly resource: string;
  readonly remaining: number;
  readonly resetAt: number;
};

/** One attempt of a model at one review pass, or, as `cut-off`, an upper bound of the cost of attempts that never reported. */
export type ModelRunRow = {
  readonly jobId: number;
  readonly pass: string;
  /** `provider:name`. */
  readonly model: string;
  /** The step of the fallback plan: full, lean, reduced, floor. */
  readonly step: string;
  readonly outcome: string;
  readonly stopReason: string;
  readonly turns: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** Millionths of a dollar. Null if the price is unknown. */
  readonly costMicroUsd: number | null;
  readonly ms: number;
  readonly at: number;
};

export async function recordExecution(execution: Execution, sql: Sql): Promise<void> {
  await sql.query(
    `insert into executions (job_id, kind, repository, outcome, started_at, ms, attempts)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      execution.jobId,
      execution.kind,
      execution.repository,
      execution.outcome,
      execution.startedAt,
      execution.ms,
      execution.attempts,
    ],
  );
}

export async function recordDegradations(rows: readonly DegradationRow[], sql: Sql): Promise<void> {
  for (const { jobId, what, message, count, at } of rows) {
    await sql.query(
      "insert into degradations (job_id, what, message, count, at) values ($1, $2, $3, $4, $5)",
      [jobId, what, message, count, at],
    );
  }
}

export async function recordRateLimit(
  { at, resource, remaining, resetAt }: RateLimitRow,
  sql: Sql,
): Promise<void> {
  await sql.query("insert into rate_limits (at, resource, remaining, reset_at) values ($1, $2, $3, $4)", [
    at,
    resource,
    remaining,
    resetAt,
  ]);
}

export async function recordModelRuns(rows: readonly ModelRunRow[], sql: Sql): Promise<void> {
  for (const row of rows) {
    await sql.query(
      `insert into model_runs
         (job_id, pass, model, step, outcome, stop_reason, turns, input_tokens, cached_input_tokens, output_tokens,
          cost_micro_usd, ms, at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
      [
        row.jobId,
        row.pass,
        row.model,
        row.step,
        row.outcome,
        row.stopReason,
        row.turns,
        row.inputTokens,
        row.cachedInputTokens,
        row.outputTokens,
        row.costMicroUsd,
        row.ms,
        row.at,
      ],
    );
  }
}

/** Deletes everything from before then. */
export async function deleteTelemetryBefore(timeMs: number, database: Database): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.query("delete from executions where started_at < $1", [timeMs]);
    await sql.query("delete from degradations where at < $1", [timeMs]);
    await sql.query("delete from rate_limits where at < $1", [timeMs]);
    await sql.query("delete from model_runs where at < $1", [timeMs]);
  });
}

/** Deletes the rows of these jobs, and those that name the repository. */
export async function deleteTelemetryOf(
  { jobIds, repository }: { readonly jobIds: readonly number[]; readonly repository: string | null },
  database: Database,
): Promise<void> {
  // One after the other, so that others come in between.
  for (const table of ["executions", "degradations", "model_runs"])
    for (const jobId of jobIds) await database.query(`delete from ${table} where job_id = $1`, [jobId]);
  if (repository !== null) await database.query("delete from executions where repository = $1", [repository]);
}
