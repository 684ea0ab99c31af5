/**
 * Totals of reported findings per day and repository, and the days whose totals have to be made again; and how many findings each
 * suppression has hidden.
 */
import type { Migration } from "../../migrate.ts";
import { noteChangedDays, noteDaysOfFindings } from "../note-changed-days.ts";

/** Notes of their own: a review changes the findings of many days, of which charts count nothing again. */
const NOTES = "changed_finding_days";

export const dashboardFigures: Migration = {
  number: 26,
  name: "dashboard-figures",
  statements: (dialect) => [
    // Of reviews since this version; null for none.
    "alter table suppressions add column hidden bigint",
    "alter table suppressions add column last_hidden_at bigint",
    `create table ${NOTES} (
      id ${dialect.identity},
      day bigint not null
    )`,
    `create index ${NOTES}_by_day on ${NOTES} (day)`,
    // Counts are JSON: numbers by the names that daily-findings.ts gives them.
    `create table daily_findings (
      repository_id bigint not null,
      day bigint not null,
      counts text not null,
      primary key (repository_id, day)
    )`,
    "create index daily_findings_by_day on daily_findings (day)",
    ...noteChangedDays(
      NOTES,
      {
        table: "findings",
        prefix: "finding_figures",
        time: "told_at",
        columns: [
          "told_at",
          "run_id",
          "severity",
          "category",
          "source",
          "sources",
          "state",
          "merged_at",
          "repository_id",
          "pull_request",
          "identity",
        ],
      },
      dialect,
    ),
    ...noteDaysOfFindings(
      NOTES,
      {
        table: "memories",
        prefix: "memory_figures",
        columns: ["outcome", "repository_id", "pull_request", "identity"],
        ofRow: (row) =>
          `findings.repository_id = ${row}.repository_id and findings.pull_request = ${row}.pull_request
           and findings.identity = ${row}.identity`,
      },
      dialect,
    ),
    ...noteDaysOfFindings(
      NOTES,
      {
        table: "runs",
        prefix: "run_figures",
        columns: ["mode"],
        ofRow: (row) => `findings.run_id = ${row}.id`,
      },
      dialect,
    ),
    // The totals of days before this version are made later, a day at a time.
    `insert into ${NOTES} (day) select distinct told_at / 86400000 from findings where told_at is not null`,
  ],
};
