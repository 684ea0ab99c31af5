/** Totals of models and degradations per day and repository, and the days whose totals have to be made again. */
import type { Migration } from "../../migrate.ts";
import { noteChangedDays } from "../note-changed-days.ts";

const COUNTED = [
  { table: "model_runs", time: "at", columns: ["at", "repository", "cost_micro_usd"] },
  { table: "degradations", time: "at", columns: ["at", "repository", "count"] },
];

export const dailyStatistics: Migration = {
  number: 5,
  name: "daily-totals",
  statements: (dialect) => [
    `create table changed_statistics_days (
      id ${dialect.identity},
      day bigint not null
    )`,
    "create index changed_statistics_days_by_day on changed_statistics_days (day)",
    // Rows of no repository have "".
    `create table daily_models (
      day bigint not null,
      repository text not null,
      model text not null,
      attempts bigint not null,
      input_tokens bigint not null,
      cached_input_tokens bigint not null,
      output_tokens bigint not null,
      cost_micro_usd bigint not null,
      unpriced bigint not null,
      primary key (day, repository, model)
    )`,
    "create index daily_models_by_repository on daily_models (repository, day)",
    `create table daily_degradations (
      day bigint not null,
      repository text not null,
      what text not null,
      times bigint not null,
      primary key (day, repository, what)
    )`,
    "create index daily_degradations_by_repository on daily_degradations (repository, day)",
    ...COUNTED.flatMap((counted) => noteChangedDays("changed_statistics_days", counted, dialect)),
    `insert into changed_statistics_days (day) select day from (${COUNTED.map(
      ({ table, time }) => `select ${time} / 86400000 as day from ${table}`,
    ).join(" union ")}) as days`,
  ],
};
