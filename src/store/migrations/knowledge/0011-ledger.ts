/** The life of findings over several reviews of a pull request, and what each review has read. */
import type { Migration } from "../../migrate.ts";

export const ledger: Migration = {
  number: 11,
  name: "ledger",
  statements: ({ identity }) => [
    "alter table findings add column number bigint not null default 0",
    "alter table findings add column words text not null default '[]'",
    "alter table findings add column others text not null default '[]'",
    `create table finding_events (
      id ${identity},
      repository_id bigint not null,
      pull_request bigint not null,
      identity text not null,
      run_id bigint not null,
      head text not null,
      state text not null,
      reason text not null,
      actor text not null,
      at bigint not null
    )`,
    "create index finding_events_by_pull_request on finding_events (repository_id, pull_request, identity)",
    `create table run_readings (
      run_id bigint primary key,
      config text not null,
      readings text not null
    )`,
  ],
};
