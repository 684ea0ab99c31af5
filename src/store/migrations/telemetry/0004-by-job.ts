/** Indexes by job, for the page of one review. The fourth migration of the telemetry database. */
import type { Migration } from "../../migrate.ts";

export const figuresByJob: Migration = {
  number: 4,
  name: "by-job",
  statements: () =>
    ["degradations", "model_runs", "prompt_sections"].map(
      (table) => `create index ${table}_by_job on ${table} (job_id)`,
    ),
};
