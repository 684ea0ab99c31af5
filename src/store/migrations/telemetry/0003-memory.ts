/** Retrievals and prompt sections; the repository of every figure, and how long it wants them to be kept. */
import type { Migration } from "../../migrate.ts";

/** Rows from before repositories had a say are kept for 90 days. */
const KEEP_MS = 90 * 24 * 60 * 60 * 1_000;

const ofJob = (table: string): string =>
  `update ${table} set repository = (select max(executions.repository) from executions where executions.job_id = ${table}.job_id)`;

export const memoryFigures: Migration = {
  number: 3,
  name: "memory",
  statements: ({ identity }) => [
    ...["executions", "degradations", "rate_limits", "model_runs"].flatMap((table) => [
      `alter table ${table} add column expires_at bigint not null default 0`,
      `update ${table} set expires_at = ${table === "executions" ? "started_at" : "at"} + ${KEEP_MS}`,
      `create index ${table}_by_expiry on ${table} (expires_at)`,
    ]),
    "create index executions_by_job on executions (job_id)",
    ...["degradations", "model_runs"].flatMap((table) => [
      `alter table ${table} add column repository text`,
      ofJob(table),
    ]),
    // The distances of the findings that were shown, as JSON, without those that only the text found.
    `create table retrievals (
      id ${identity},
      job_id bigint not null,
      repository text,
      outcome text not null,
      embeddings text not null,
      candidates bigint not null,
      shown bigint not null,
      same_language bigint not null,
      distances text not null,
      recurred bigint not null,
      ms bigint not null,
      at bigint not null,
      expires_at bigint not null
    )`,
    "create index retrievals_by_time on retrievals (at)",
    "create index retrievals_by_expiry on retrievals (expires_at)",
    `create table prompt_sections (
      id ${identity},
      job_id bigint not null,
      repository text,
      pass text not null,
      section text not null,
      chars bigint not null,
      cut_chars bigint not null,
      at bigint not null,
      expires_at bigint not null
    )`,
    "create index prompt_sections_by_time on prompt_sections (at)",
    "create index prompt_sections_by_expiry on prompt_sections (expires_at)",
  ],
};
