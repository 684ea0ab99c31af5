/** Measurements for operators. Kodiai works without them. The first migration of the telemetry database. */
import type { Migration } from "../../migrate.ts";

export const telemetry: Migration = {
  number: 1,
  name: "telemetry",
  statements: ({ identity }) => [
    `create table executions (
      id ${identity},
      job_id bigint not null,
      kind text not null,
      repository text,
      outcome text not null,
      started_at bigint not null,
      ms bigint not null,
      attempts bigint not null
    )`,
    "create index executions_by_time on executions (started_at)",
    `create table degradations (
      id ${identity},
      job_id bigint not null,
      what text not null,
      message text not null,
      count bigint not null,
      at bigint not null
    )`,
    "create index degradations_by_time on degradations (at)",
    `create table rate_limits (
      id ${identity},
      at bigint not null,
      resource text not null,
      remaining bigint not null,
      reset_at bigint not null
    )`,
    "create index rate_limits_by_time on rate_limits (at)",
  ],
};
