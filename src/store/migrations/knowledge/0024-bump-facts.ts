/** Columns for the facts that a review found about a dependency bump, and an index for the findings of one repository by time. */
import type { Migration } from "../../migrate.ts";

export const bumpFacts: Migration = {
  number: 24,
  name: "bump-facts",
  statements: () => [
    // Null for rows of older versions. Advisories are JSON.
    "alter table bumps add column confidence text",
    "alter table bumps add column advisories text",
    "create index findings_by_repository on findings (repository_id, told_at)",
  ],
};
