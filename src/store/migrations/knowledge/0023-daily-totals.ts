/** Totals per day and repository for reports and charts, and the days whose totals have to be made again. */
import type { Migration } from "../../migrate.ts";
import { noteChangedDays } from "../note-changed-days.ts";

const COUNTED = [
  {
    table: "runs",
    time: "started_at",
    columns: ["started_at", "finished_at", "status", "findings_total", "findings_told"],
  },
  { table: "findings", time: "told_at", columns: ["told_at", "severity"] },
  { table: "memories", time: "created_at", columns: ["created_at", "outcome"] },
  {
    table: "spendings",
    time: "at",
    columns: ["at", "model", "reserved_micro_usd", "settled_micro_usd"],
  },
];

export const dailyTotals: Migration = {
  number: 23,
  name: "daily-totals",
  statements: (dialect) => [
    `create table changed_days (
      id ${dialect.identity},
      day bigint not null
    )`,
    "create index changed_days_by_day on changed_days (day)",
    // Numbers separated by commas, because a page reads thousands of rows: counts in the order of daily-totals.ts, and how long each
    // published review took, in milliseconds.
    `create table daily_totals (
      repository_id bigint not null,
      day bigint not null,
      counts text not null,
      durations text not null,
      primary key (repository_id, day)
    )`,
    "create index daily_totals_by_day on daily_totals (day)",
    `create table daily_costs (
      repository_id bigint not null,
      day bigint not null,
      model text not null,
      micro_usd bigint not null,
      primary key (repository_id, day, model)
    )`,
    "create index daily_costs_by_day on daily_costs (day, repository_id, model, micro_usd)",
    ...COUNTED.flatMap((counted) => noteChangedDays("changed_days", counted, dialect)),
    // The totals of days before this version are made later, a day at a time.
    `insert into changed_days (day) select day from (${COUNTED.map(
      ({ table, time }) => `select ${time} / 86400000 as day from ${table} where ${time} is not null`,
    ).join(" union ")}) as days`,
  ],
};
