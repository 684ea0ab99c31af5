/** Measurements in the telemetry database. Losing them costs an operator some figures, never a review. */
import type { Database, Row, Sql, SqlValue } from "../database.ts";
import { STATISTICS_TOTALS } from "./daily-statistics.ts";

/** Where a figure belongs, and how long it is kept. */
export type FigureOrigin = {
  readonly jobId: number;
  /** For display: acme/shop. Null for a job of no repository. */
  readonly repository: string | null;
  readonly at: number;
  readonly expiresAt: number;
};

export type Execution = Omit<FigureOrigin, "at"> & {
  readonly kind: string;
  /** Final state and reason of the job. */
  readonly outcome: string;
  readonly startedAt: number;
  readonly ms: number;
  readonly attempts: number;
};

export type DegradationRow = FigureOrigin & {
  readonly what: string;
  readonly message: string;
  readonly count: number;
};

export type RateLimitRow = Pick<FigureOrigin, "at" | "expiresAt"> & {
  readonly resource: string;
  readonly remaining: number;
  readonly resetAt: number;
};

/** One attempt of a model at one review pass, or, as `cut-off`, an upper bound of the cost of attempts that never reported. */
export type ModelRunRow = FigureOrigin & {
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
};

/** One search for similar findings of the past. */
export type RetrievalRow = FigureOrigin & {
  /** "found", "nothing", "failed", or "words-only" when the embeddings failed. */
  readonly outcome: string;
  /** The provider, as configured. */
  readonly embeddings: string;
  readonly candidates: number;
  readonly shown: number;
  /** How many of the shown ones are in a language of the change. */
  readonly sameLanguage: number;
  /** Of the shown ones that have one. */
  readonly distances: readonly number[];
  /** How many of the shown ones this review found again. */
  readonly recurred: number;
  readonly ms: number;
};

export type PromptSectionRow = FigureOrigin & {
  readonly pass: string;
  readonly section: string;
  readonly chars: number;
  readonly cutChars: number;
};

async function insert(table: string, values: Readonly<Record<string, SqlValue>>, sql: Sql): Promise<void> {
  const names = Object.keys(values);
  const places = names.map((_, index) => `$${index + 1}`).join(", ");
  await sql.query(`insert into ${table} (${names.join(", ")}) values (${places})`, Object.values(values));
}

function originOf({ jobId, repository, at, expiresAt }: FigureOrigin) {
  return { job_id: jobId, repository, at, expires_at: expiresAt };
}

export async function recordExecution(
  { jobId, kind, repository, outcome, startedAt, ms, attempts, expiresAt }: Execution,
  sql: Sql,
): Promise<void> {
  const values = { job_id: jobId, kind, repository, outcome, started_at: startedAt, ms, attempts };
  await insert("executions", { ...values, expires_at: expiresAt }, sql);
}

export async function recordDegradations(rows: readonly DegradationRow[], sql: Sql): Promise<void> {
  for (const { what, message, count, ...origin } of rows)
    await insert("degradations", { ...originOf(origin), what, message, count }, sql);
}

export async function recordRateLimit(
  { at, expiresAt, resource, remaining, resetAt }: RateLimitRow,
  sql: Sql,
): Promise<void> {
  const values = { at, expires_at: expiresAt, resource, remaining, reset_at: resetAt };
  await insert("rate_limits", values, sql);
}

export async function recordModelRuns(rows: readonly ModelRunRow[], sql: Sql): Promise<void> {
  for (const row of rows) {
    const values = {
      ...originOf(row),
      pass: row.pass,
      model: row.model,
      step: row.step,
      outcome: row.outcome,
      stop_reason: row.stopReason,
      turns: row.turns,
      input_tokens: row.inputTokens,
      cached_input_tokens: row.cachedInputTokens,
      output_tokens: row.outputTokens,
      cost_micro_usd: row.costMicroUsd,
      ms: row.ms,
    };
    await insert("model_runs", values, sql);
  }
}

export async function recordRetrieval(row: RetrievalRow, sql: Sql): Promise<void> {
  const values = {
    ...originOf(row),
    outcome: row.outcome,
    embeddings: row.embeddings,
    candidates: row.candidates,
    shown: row.shown,
    same_language: row.sameLanguage,
    distances: JSON.stringify(row.distances),
    recurred: row.recurred,
    ms: row.ms,
  };
  await insert("retrievals", values, sql);
}

export async function recordPromptSections(rows: readonly PromptSectionRow[], sql: Sql): Promise<void> {
  for (const { pass, section, chars, cutChars, ...origin } of rows)
    await insert("prompt_sections", { ...originOf(origin), pass, section, chars, cut_chars: cutChars }, sql);
}

/** Tables whose rows belong to a job. */
const JOB_TABLES = ["executions", "degradations", "model_runs", "retrievals", "prompt_sections"] as const;

export async function deleteExpiredTelemetry(now: number, database: Database): Promise<void> {
  await database.transaction(async (sql) => {
    for (const table of [...JOB_TABLES, "rate_limits"])
      await sql.query(`delete from ${table} where expires_at < $1`, [now]);
  });
}

/** Deletes the rows of these jobs, and those that name the repository. */
export async function deleteTelemetryOf(
  { jobIds, repository }: { readonly jobIds: readonly number[]; readonly repository: string | null },
  database: Database,
): Promise<void> {
  // One after the other, so that others come in between.
  for (const table of JOB_TABLES) {
    for (const jobId of jobIds) await database.query(`delete from ${table} where job_id = $1`, [jobId]);
    if (repository !== null) await database.query(`delete from ${table} where repository = $1`, [repository]);
  }
  // Their days are counted again, but totals must not outlive the repository until then.
  if (repository !== null)
    for (const table of STATISTICS_TOTALS)
      await database.query(`delete from ${table} where repository = $1`, [repository]);
}

export type JobFigures = {
  readonly modelRuns: readonly (Row & {
    readonly pass: string;
    readonly model: string;
    readonly step: string;
    readonly outcome: string;
    readonly stop_reason: string;
    readonly turns: number;
    readonly input_tokens: number;
    readonly cached_input_tokens: number;
    readonly output_tokens: number;
    readonly cost_micro_usd: number | null;
    readonly ms: number;
  })[];
  readonly sections: readonly (Row & {
    readonly pass: string;
    readonly section: string;
    readonly chars: number;
    readonly cut_chars: number;
  })[];
};

/** More passes or sections than that make no readable page. */
const MAX_JOB_ROWS = 500;

/** The runs of one job's models, in order. Empty lists if its repository keeps no statistics. */
export async function readJobFigures(jobId: number, sql: Sql): Promise<JobFigures> {
  const ofJob = `where job_id = $1 order by id limit ${MAX_JOB_ROWS}`;
  return {
    modelRuns: await sql.query(`select * from model_runs ${ofJob}`, [jobId]),
    sections: await sql.query(`select pass, section, chars, cut_chars from prompt_sections ${ofJob}`, [
      jobId,
    ]),
  };
}
