/** Accepted webhook deliveries, and counts of rejected ones. */
import type { Migration } from "../../migrate.ts";

export const deliveries: Migration = {
  number: 1,
  name: "deliveries",
  statements: () => [
    `create table deliveries (
      guid text primary key,
      event text not null,
      action text,
      installation_id bigint,
      repository_id bigint,
      repository text,
      pull_request bigint,
      sender text,
      bytes bigint not null,
      received_at bigint not null,
      state text not null,
      reason text,
      job_id bigint,
      body text
    )`,
    "create index deliveries_by_time on deliveries (received_at)",
    "create index deliveries_by_job on deliveries (job_id) where job_id is not null",
    `create table rejections (
      reason text not null,
      day text not null,
      count bigint not null,
      last_at bigint not null,
      primary key (reason, day)
    )`,
  ],
};
