/** People's words about a finding are kept with their signal. */
import type { Migration } from "../../migrate.ts";

export const reasons: Migration = {
  number: 21,
  name: "reasons",
  statements: () => ["alter table feedback add column words text not null default ''"],
};
