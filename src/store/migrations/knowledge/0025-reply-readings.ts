/** A table for what models understood of people's replies to findings. */
import type { Migration } from "../../migrate.ts";

export const replyReadings: Migration = {
  number: 25,
  name: "reply-readings",
  statements: () => [
    `create table reply_readings (
      repository_id bigint not null,
      pull_request bigint not null,
      reply text not null,
      url text not null,
      verdict text,
      reason text not null,
      scope text not null,
      asked_at bigint not null,
      primary key (repository_id, pull_request, reply)
    )`,
  ],
};
