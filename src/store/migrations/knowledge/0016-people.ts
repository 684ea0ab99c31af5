/** Adds columns and indexes for limits per person, and the heads of pull requests, by which an edit is pinned to what its requester saw. */
import type { Migration } from "../../migrate.ts";

export const people: Migration = {
  number: 16,
  name: "people",
  statements: () => [
    `create table seen_heads (
      repository_id bigint not null,
      pull_request bigint not null,
      seen_at bigint not null,
      head text not null,
      primary key (repository_id, pull_request, seen_at, head)
    )`,
    "create index seen_heads_by_time on seen_heads (seen_at)",
    `insert into seen_heads (repository_id, pull_request, seen_at, head)
     select distinct repository_id, pull_request, started_at, head from runs where head <> ''`,
    "create index mentions_by_person on mentions (repository_id, login, at)",
    "create index model_requests_by_person on model_requests (repository_id, login, at)",
    // 1 if the person who is charged has no write access; null for rows of older versions.
    "alter table spendings add column is_outsider bigint",
    "create index spendings_by_outsiders on spendings (repository_id, is_outsider, at)",
  ],
};
