/** Tables for mentions: each with its outcome, pauses that a person set, and people's verdicts on findings. */
import type { Migration } from "../../migrate.ts";

export const mentions: Migration = {
  number: 14,
  name: "mentions",
  statements: () => [
    `create table mentions (
      repository_id bigint not null,
      number bigint not null,
      request text not null,
      login text not null,
      command text not null,
      requester_class text,
      outcome text,
      is_turn bigint not null,
      result text,
      at bigint not null,
      finished_at bigint,
      primary key (repository_id, number, request)
    )`,
    `create table pauses (
      repository_id bigint not null,
      pull_request bigint not null,
      login text not null,
      at bigint not null,
      primary key (repository_id, pull_request)
    )`,
    // A person's word about the finding: contested or waived. A review never changes it.
    "alter table findings add column verdict text",
    "alter table findings add column verdict_by text",
    "alter table findings add column verdict_reason text",
    "alter table findings add column verdict_url text",
    "alter table findings add column verdict_at bigint",
  ],
};
