/** Granted and refused requests for model reviews, which hourly limits count. */
import type { Migration } from "../../migrate.ts";

export const modelRequests: Migration = {
  number: 10,
  name: "model requests",
  statements: () => [
    `create table model_requests (
      run_id bigint primary key,
      repository_id bigint not null,
      pull_request bigint not null,
      job_id bigint not null,
      login text not null,
      asker_class text not null,
      outcome text not null,
      at bigint not null
    )`,
    "create index model_requests_by_pull_request on model_requests (repository_id, pull_request, at)",
    "create index model_requests_by_time on model_requests (at)",
  ],
};
