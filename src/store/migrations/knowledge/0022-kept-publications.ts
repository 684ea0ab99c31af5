/** A table for the last publication of each pull request, from which its summary and check are composed again when people settle findings. */
import type { Migration } from "../../migrate.ts";

export const keptPublications: Migration = {
  number: 22,
  name: "kept-publications",
  statements: () => [
    `create table kept_publications (
      repository_id bigint not null,
      pull_request bigint not null,
      version text not null,
      at bigint not null,
      body text not null,
      primary key (repository_id, pull_request)
    )`,
    "create index kept_publications_by_time on kept_publications (at)",
  ],
};
