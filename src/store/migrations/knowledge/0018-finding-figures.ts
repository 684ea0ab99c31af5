/** Figures of findings for reports: the mode of the review, and when the pull request was merged. */
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
