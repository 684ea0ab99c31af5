/** Data of model reviews: notebooks, spending, timeouts and recordings. */
import type { Migration } from "../../migrate.ts";

export const models: Migration = {
  number: 6,
  name: "models",
  statements: ({ identity, bytes }) => [
    `create table notebook_entries (
      run_id bigint not null,
      number bigint not null,
      pass text not null,
      kind text not null,
      body text not null,
      at bigint not null,
      primary key (run_id, number)
    )`,
    "create index notebook_entries_by_time on notebook_entries (at)",
    // In millionths of a dollar. A row that isn't settled counts with its reserved amount, permanently if its process crashed.
    `create table spendings (
      id ${identity},
      run_id bigint not null,
      installation_id bigint not null,
      repository_id bigint not null,
      pull_request bigint not null,
      author text not null,
      model text not null,
      reserved_micro_usd bigint not null,
      settled_micro_usd bigint,
      at bigint not null
    )`,
    // Each index covers the columns of its sum, so a month of an installation is read from the index alone.
    "create index spendings_by_run on spendings (run_id)",
    "create index spendings_by_pull_request on spendings (repository_id, pull_request)",
    "create index spendings_by_author on spendings (installation_id, author, at)",
    "create index spendings_by_repository on spendings (repository_id, at)",
    "create index spendings_by_installation on spendings (installation_id, at, settled_micro_usd, reserved_micro_usd)",
    // A transaction that reserves an amount first writes the installation's row, and so waits for all others that do.
    `create table spending_locks (
      installation_id bigint primary key,
      taken_at bigint not null
    )`,
    `create table review_timeouts (
      run_id bigint primary key,
      repository_id bigint not null,
      author text not null,
      at bigint not null
    )`,
    "create index review_timeouts_by_author on review_timeouts (repository_id, author, at)",
    `create table recordings (
      run_id bigint primary key,
      at bigint not null,
      body ${bytes} not null
    )`,
    "create index recordings_by_time on recordings (at)",
  ],
};
