/** Dependency bumps of pull requests, and what became of them. */
import type { Migration } from "../../migrate.ts";

export const bumps: Migration = {
  number: 12,
  name: "bumps",
  statements: () => [
    `create table bumps (
      repository_id bigint not null,
      pull_request bigint not null,
      ecosystem text not null,
      package text not null,
      from_version text not null,
      to_version text not null,
      head text not null,
      state text not null,
      merged_at bigint,
      reverted_at bigint,
      primary key (repository_id, pull_request, ecosystem, package, from_version, to_version)
    )`,
    "create index bumps_by_package on bumps (repository_id, ecosystem, package, merged_at)",
  ],
};
