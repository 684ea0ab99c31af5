/** Which worker last vanished with a job: jobs that it had at the same time share its name, and are not charged for it. */
import type { Migration } from "../../migrate.ts";

export const crashes: Migration = {
  number: 7,
  name: "crashes",
  statements: () => [
    "alter table jobs add column crashed_worker text",
    "create index jobs_crashed on jobs (crashed_worker) where crashed_worker is not null",
  ],
};
