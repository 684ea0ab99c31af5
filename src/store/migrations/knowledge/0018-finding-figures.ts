/** What a report needs of each finding and isn't stored yet: the mode of its review, and when its pull request was merged. */
import type { Migration } from "../../migrate.ts";

export const findingFigures: Migration = {
  number: 18,
  name: "finding-figures",
  // Null for rows of older versions.
  statements: () => [
    "alter table runs add column mode text",
    "alter table findings add column merged_at bigint",
  ],
};
