/** The worker that last crashed with a job. Jobs that it had at the same time share its name and aren't charged. */
import type { Migration } from "../../migrate.ts";

export const crashes: Migration = {
  number: 7,
  name: "crashes",
  statements: () => [
    "alter table jobs add column crashed_worker text",
    "create index jobs_crashed on jobs (crashed_worker) where crashed_worker is not null",
  ],
};
