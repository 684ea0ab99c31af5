/** Tables and indexes of the dashboard: reviews as they were published, and indexes for lists by time. */
import type { Migration } from "../../migrate.ts";

export const reviewViews: Migration = {
  number: 19,
  name: "review-views",
  statements: () => [
    `create table review_views (
      run_id bigint primary key,
      at bigint not null,
      body text not null
    )`,
    "create index review_views_by_time on review_views (at)",
    "create index runs_by_time on runs (started_at, id)",
    "create index runs_by_repository on runs (repository_id, started_at, id)",
    // With all that a chart reads of a row, because a month has many rows.
    "create index findings_by_time on findings (told_at, repository_id, severity)",
    "create index spendings_by_time on spendings (at, repository_id, model, settled_micro_usd, reserved_micro_usd)",
    "create index memories_by_time on memories (created_at, repository_id, outcome)",
  ],
};
