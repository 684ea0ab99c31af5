/** What a queue over many machines looks up: in which lanes a group may have something to run. */
import type { Migration } from "../../migrate.ts";

export const manyMachines: Migration = {
  number: 4,
  name: "many-machines",
  statements: () => ["create index job_turns_by_group on job_turns (job_group)"],
};
