/** Figures per day in UTC, for charts. A day is its number since 1970. */
import { DAY_MS } from "../../base/day-ms.ts";
import type { Row, Sql } from "../database.ts";
import { createConditions, type ReadableRepositories } from "./readable.ts";

export type DailyRange = {
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
  readonly readable: ReadableRepositories;
  /** Null for all. */
  readonly repositoryId: number | null;
};

function within({ sinceMs, readable, repositoryId }: DailyRange, time: string) {
  const conditions = createConditions();
  conditions.add(`${time} >= ${conditions.value(sinceMs)}`);
  conditions.readable("repository_id", readable);
  if (repositoryId !== null) conditions.add(`repository_id = ${conditions.value(repositoryId)}`);
  return conditions;
}

const dayOf = (time: string): string => `${time} / ${DAY_MS}`;

export type DailyReviews = { readonly day: number; readonly status: string; readonly reviews: number };

/** Reviews that have ended. */
export function countReviewsByDay(range: DailyRange, sql: Sql): Promise<readonly (DailyReviews & Row)[]> {
  const { params, where } = within(range, "started_at");
  return sql.query(
    `select ${dayOf("started_at")} as day, status, count(*) as reviews from runs
     where ${where()} and finished_at is not null and head <> '' and status <> 'answered' group by 1, 2 order by 1, 2`,
    params,
  );
}

export type DailyTimes = { readonly day: number; readonly median: number; readonly p95: number };

/** How long published reviews took, in milliseconds. */
export function readTimesByDay(range: DailyRange, sql: Sql): Promise<readonly (DailyTimes & Row)[]> {
  const { params, where } = within(range, "started_at");
  const at = (percent: number): string =>
    `cast(max(case when place = (total * ${percent} + 99) / 100 then ms end) as bigint)`;
  return sql.query(
    `select day, ${at(50)} as median, ${at(95)} as p95 from (
       select day, ms, row_number() over (partition by day order by ms) as place, count(*) over (partition by day) as total
       from (
         select ${dayOf("started_at")} as day, finished_at - started_at as ms from runs
         where ${where()} and status in ('completed', 'partial')
       ) as durations
     ) as placed group by day order by day`,
    params,
  );
}

export type DailySeverities = { readonly day: number; readonly severity: string; readonly findings: number };

/** Reported findings. */
export function countSeveritiesByDay(
  range: DailyRange,
  sql: Sql,
): Promise<readonly (DailySeverities & Row)[]> {
  const { params, where } = within(range, "told_at");
  return sql.query(
    `select ${dayOf("told_at")} as day, severity, count(*) as findings from findings
     where ${where()} group by 1, 2 order by 1, 2`,
    params,
  );
}

export type DailyCosts = { readonly day: number; readonly model: string; readonly micro_usd: number };

/** The cost of models, as reserved where the end isn't known. */
export function sumCostsByDay(range: DailyRange, sql: Sql): Promise<readonly (DailyCosts & Row)[]> {
  const { params, where } = within(range, "at");
  return sql.query(
    `select ${dayOf("at")} as day, model,
       cast(sum(coalesce(settled_micro_usd, reserved_micro_usd)) as bigint) as micro_usd
     from spendings where ${where()} group by 1, 2 order by 1, 2`,
    params,
  );
}
