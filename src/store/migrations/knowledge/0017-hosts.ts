/**
 * The repositories of all hosts, each with our own id, by which other tables name it. Until now there was one host, and its numbers were
 * the ids. They stay the ids, so no other table changes, and a process of the previous version still finds and writes the same rows.
 */
import type { Migration } from "../../migrate.ts";

/** Memory's terms aren't listed: their repositories have memories. */
const TABLES = [
  "author_cache",
  "bumps",
  "deliveries",
  "feedback",
  "feedback_polls",
  "finding_events",
  "findings",
  "forgotten",
  "learnings",
  "memories",
  "memory_repositories",
  "mentions",
  "model_requests",
  "pauses",
  "publications",
  "review_timeouts",
  "runs",
  "seen_heads",
  "spendings",
  "suppressions",
] as const;

export const hosts: Migration = {
  number: 17,
  name: "hosts",
  statements: () => [
    `create table repositories (
      id bigint primary key,
      host text not null,
      forge_id bigint not null,
      unique (host, forge_id)
    )`,
    // The host isn't known here. The app writes its name when it next hears of the repository.
    `insert into repositories (id, host, forge_id)
     select repository_id, '', repository_id
     from (${TABLES.map((table) => `select repository_id from ${table}`).join(" union ")}) as named
     where repository_id is not null`,
  ],
};
