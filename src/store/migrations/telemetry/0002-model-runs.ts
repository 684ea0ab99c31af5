/** Results of models: one row per attempt at a pass. The second migration of the telemetry database. */
import type { Migration } from "../../migrate.ts";

export const modelRuns: Migration = {
  number: 2,
  name: "model-runs",
  statements: ({ identity }) => [
    // The cost is null if the model's price is unknown.
    `create table model_runs (
      id ${identity},
      job_id bigint not null,
      pass text not null,
      model text not null,
      step text not null,
      outcome text not null,
      stop_reason text not null,
      turns bigint not null,
      input_tokens bigint not null,
      cached_input_tokens bigint not null,
      output_tokens bigint not null,
      cost_micro_usd bigint,
      ms bigint not null,
      at bigint not null
    )`,
    "create index model_runs_by_time on model_runs (at)",
  ],
};
