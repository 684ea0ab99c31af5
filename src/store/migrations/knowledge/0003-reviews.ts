/** Results of the work: runs, the publication journal, findings, and cached facts about authors. */
import type { Migration } from "../../migrate.ts";

export const reviews: Migration = {
  number: 3,
  name: "reviews",
  statements: ({ identity }) => [
    `create table runs (
      id ${identity},
      job_id bigint not null,
      installation_id bigint not null,
      repository_id bigint not null,
      repository text not null,
      pull_request bigint not null,
      base text not null,
      head text not null,
      triggers text not null,
      status text not null,
      reason text,
      findings_total bigint,
      findings_told bigint,
      started_at bigint not null,
      finished_at bigint,
      unique (job_id, head)
    )`,
    "create index runs_by_pull_request on runs (repository_id, pull_request, finished_at)",
    `create table publications (
      repository_id bigint not null,
      pull_request bigint not null,
      head text not null,
      part text not null,
      request text not null,
      state text not null,
      body_hash text not null,
      marker text not null,
      external_id bigint,
      attempted_at bigint,
      updated_at bigint not null,
      primary key (repository_id, pull_request, head, part, request)
    )`,
    `create table findings (
      id ${identity},
      identity text not null,
      run_id bigint not null,
      repository_id bigint not null,
      pull_request bigint not null,
      head text not null,
      path text not null,
      side text,
      start_line bigint,
      end_line bigint,
      severity text not null,
      category text not null,
      title text not null,
      rule text,
      source text not null,
      placement text not null,
      state text not null,
      told_at bigint,
      told_by_run bigint,
      unique (repository_id, pull_request, identity)
    )`,
    "create index findings_by_run on findings (run_id)",
    `create table author_cache (
      repository_id bigint not null,
      login text not null,
      merged_pull_requests bigint not null,
      read_at bigint not null,
      primary key (repository_id, login)
    )`,
  ],
};
