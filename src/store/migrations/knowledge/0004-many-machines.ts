/** An index for queues on several machines: the lanes in which a group may have work. */
import type { Migration } from "../../migrate.ts";

export const manyMachines: Migration = {
  number: 4,
  name: "many-machines",
  statements: () => ["create index job_turns_by_group on job_turns (job_group)"],
};
