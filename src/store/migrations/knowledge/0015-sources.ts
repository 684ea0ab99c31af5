/** The reports that a finding was made of, so that each review judges it again. */
import type { Migration } from "../../migrate.ts";

export const sources: Migration = {
  number: 15,
  name: "sources",
  // JSON; null for findings of older versions.
  statements: () => ["alter table findings add column sources text"],
};
