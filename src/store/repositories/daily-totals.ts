/**
 * Totals of reviews, findings, outcomes and costs per repository and day in UTC, a day being its number since 1970. They are what a count
 * of all rows gives, at every moment: see changed-days.ts.
 */
import { DAY_MS } from "../../base/day-ms.ts";
import { SEVERITIES, type Severity } from "../../base/severity.ts";
import type { Database, Row, Sql } from "../database.ts";
import { inBatches, rowsOf } from "../many-rows.ts";
import { addSpan, addValidDays, refreshChangedDays, type Span, splitTime } from "./changed-days.ts";
import { createConditions, type ReadableRepositories } from "./readable.ts";

const RUN_COUNTS = {
  completed: "count(case when status = 'completed' and head <> '' then 1 end)",
  partial: "count(case when status = 'partial' and head <> '' then 1 end)",
  failed: "count(case when status = 'failed' and head <> '' then 1 end)",
  skipped: "count(case when status = 'skipped' and head <> '' then 1 end)",
  superseded: "count(case when status = 'superseded' and head <> '' then 1 end)",
  // To mentions that took more than a look at the comment.
  answers: "count(case when status = 'answered' then 1 end)",
  // Of published reviews: all findings, and those that were shown.
  found:
    "cast(coalesce(sum(case when status in ('completed', 'partial') then findings_total end), 0) as bigint)",
  reported:
    "cast(coalesce(sum(case when status in ('completed', 'partial') then findings_told end), 0) as bigint)",
} as const;

export const SEVERITY_COUNTS = {
  critical: "critical",
  "must-fix": "must_fix",
  major: "major",
  medium: "medium",
  minor: "minor",
} as const satisfies Readonly<Record<Severity, string>>;

const OUTCOME_COUNTS = ["accepted", "dismissed", "ignored", "open"] as const;

type CountName =
  | keyof typeof RUN_COUNTS
  | (typeof SEVERITY_COUNTS)[Severity]
  | (typeof OUTCOME_COUNTS)[number];

/** The order in which counts are stored. A new one comes last. */
const COUNT_NAMES = [
  ...Object.keys(RUN_COUNTS),
  ...Object.values(SEVERITY_COUNTS),
  ...OUTCOME_COUNTS,
] as readonly CountName[];

export type DailyTotals = {
  readonly repositoryId: number;
  readonly day: number;
  /** See `addUpCounts`. */
  readonly counts: readonly number[];
  /** How long each published review took, in milliseconds. */
  readonly durations: readonly number[];
};

/** Adds up a count of each name. */
export function addUpCounts(
  days: readonly Pick<DailyTotals, "counts">[],
): Readonly<Record<CountName, number>> {
  const sums = new Float64Array(COUNT_NAMES.length);
  // Thousands of rows, three times for a page.
  for (const { counts } of days)
    for (let index = 0; index < sums.length; index++) sums[index] = (sums[index] ?? 0) + (counts[index] ?? 0);
  return Object.fromEntries(COUNT_NAMES.map((name, index) => [name, sums[index] ?? 0])) as Readonly<
    Record<CountName, number>
  >;
}

type DailyRange = {
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
  readonly readable: ReadableRepositories;
};

type TotalsRow = {
  readonly repository_id: number;
  readonly day: number;
  /** Like `durations`, numbers separated by commas. */
  readonly counts: string;
  readonly durations: string;
};

export async function readDailyTotals(range: DailyRange, sql: Sql): Promise<readonly DailyTotals[]> {
  const split = await splitTime(range.sinceMs, "changed_days", sql);
  const conditions = createConditions();
  addValidDays(conditions, split);
  conditions.readable("repository_id", range.readable);
  const totals = await sql.query<TotalsRow & Row>(
    `select repository_id, day, counts, durations from daily_totals where ${conditions.where()}`,
    conditions.params,
  );
  const counted = [];
  for (const span of split.spans) counted.push(await countDays(span, range.readable, sql));
  const rows = [...totals, ...counted.flat()];
  const counts = parseLists(rows.map((row) => row.counts));
  const durations = parseLists(rows.map((row) => row.durations));
  return rows.map((row, index) => ({
    repositoryId: row.repository_id,
    day: row.day,
    counts: counts[index] ?? [],
    durations: durations[index] ?? [],
  }));
}

/** All at once, which takes a fraction of the time. Only this file writes these numbers. */
function parseLists(texts: readonly string[]): readonly (readonly number[])[] {
  return texts.length === 0 ? [] : (JSON.parse(`[[${texts.join("],[")}]]`) as readonly (readonly number[])[]);
}

type CountedDay = Omit<TotalsRow, "counts"> & Readonly<Record<CountName, number>>;

const NOTHING = {
  durations: "",
  ...(Object.fromEntries(COUNT_NAMES.map((name) => [name, 0])) as Readonly<Record<CountName, number>>),
};

/** Counts the rows themselves. */
async function countDays(
  span: Span,
  readable: ReadableRepositories,
  sql: Sql,
): Promise<readonly TotalsRow[]> {
  const days = new Map<string, CountedDay>();
  const count = async (
    table: string,
    time: string,
    counts: Readonly<Record<string, string>>,
  ): Promise<void> => {
    const conditions = createConditions();
    addSpan(conditions, time, span);
    conditions.readable("repository_id", readable);
    const columns = Object.entries(counts).map(([name, counted]) => `${counted} as ${name}`);
    // The sum keeps SQLite from grouping by an index of repositories, for which it would read all rows there are.
    const found = await sql.query<Pick<CountedDay, "repository_id" | "day"> & Row>(
      `select 0 + repository_id as repository_id, ${time} / ${DAY_MS} as day, ${columns.join(", ")}
       from ${table} where ${conditions.where()} group by 1, 2`,
      conditions.params,
    );
    for (const row of found) {
      const key = `${row.repository_id} ${row.day}`;
      days.set(key, { ...NOTHING, ...days.get(key), ...row });
    }
  };
  await count("runs", "started_at", {
    ...RUN_COUNTS,
    durations: `coalesce(string_agg(case when status in ('completed', 'partial') then
      cast(finished_at - started_at as text) end, ','), '')`,
  });
  const isSeverity = (severity: Severity): string => `count(case when severity = '${severity}' then 1 end)`;
  await count(
    "findings",
    "told_at",
    Object.fromEntries(SEVERITIES.map((each) => [SEVERITY_COUNTS[each], isSeverity(each)])),
  );
  await count(
    "memories",
    "created_at",
    Object.fromEntries(
      OUTCOME_COUNTS.map((each) => [each, `count(case when outcome = '${each}' then 1 end)`]),
    ),
  );
  // A day on which nothing has ended yet has no totals.
  const ended = [...days.values()].filter((row) => COUNT_NAMES.some((name) => row[name] > 0));
  return ended.map((row) => ({
    repository_id: row.repository_id,
    day: row.day,
    counts: COUNT_NAMES.map((name) => row[name]).join(","),
    durations: row.durations,
  }));
}

export type DailyCosts = { readonly day: number; readonly model: string; readonly micro_usd: number };

/** The cost of models by day, as reserved where the end isn't known. */
export async function readDailyCosts(range: DailyRange, sql: Sql): Promise<readonly DailyCosts[]> {
  const split = await splitTime(range.sinceMs, "changed_days", sql);
  const conditions = createConditions();
  addValidDays(conditions, split);
  conditions.readable("repository_id", range.readable);
  const totals = await sql.query<DailyCosts & Row>(
    `select day, model, cast(sum(micro_usd) as bigint) as micro_usd from daily_costs
     where ${conditions.where()} group by day, model`,
    conditions.params,
  );
  const counted = [];
  for (const span of split.spans) counted.push(await countCosts(span, range.readable, sql));
  return [...totals, ...counted.flat()];
}

function countCosts(
  span: Span,
  readable: ReadableRepositories,
  sql: Sql,
): Promise<readonly (DailyCosts & { readonly repository_id: number } & Row)[]> {
  const conditions = createConditions();
  addSpan(conditions, "at", span);
  conditions.readable("repository_id", readable);
  return sql.query(
    `select 0 + repository_id as repository_id, at / ${DAY_MS} as day, model,
       cast(sum(coalesce(settled_micro_usd, reserved_micro_usd)) as bigint) as micro_usd
     from spendings where ${conditions.where()} group by 1, 2, 3`,
    conditions.params,
  );
}

const TOTALS_COLUMNS = ["repository_id", "day", "counts", "durations"] as const;
const COST_COLUMNS = ["repository_id", "day", "model", "micro_usd"] as const;

/** Makes the totals of changed days again. */
export function refreshDailyTotals(database: Database): Promise<void> {
  return refreshChangedDays("changed_days", refreshDay, database);
}

async function refreshDay(day: number, sql: Sql): Promise<void> {
  const span = { fromMs: day * DAY_MS, toMs: (day + 1) * DAY_MS };
  await sql.query("delete from daily_totals where day = $1", [day]);
  await sql.query("delete from daily_costs where day = $1", [day]);
  await inBatches(await countDays(span, "all", sql), (batch) =>
    sql.query(
      `insert into daily_totals (${TOTALS_COLUMNS.join(", ")}) values ${rowsOf(batch.length, TOTALS_COLUMNS.length)}`,
      batch.flatMap((row) => TOTALS_COLUMNS.map((column) => row[column])),
    ),
  );
  await inBatches(await countCosts(span, "all", sql), (batch) =>
    sql.query(
      `insert into daily_costs (${COST_COLUMNS.join(", ")}) values ${rowsOf(batch.length, COST_COLUMNS.length)}`,
      batch.flatMap((row) => COST_COLUMNS.map((column) => row[column])),
    ),
  );
}

/** The last names of repositories; "" of one without reviews and memory. */
export async function readLastNames(ids: readonly number[], sql: Sql): Promise<ReadonlyMap<number, string>> {
  const rows = await inBatches(ids, (batch) =>
    sql.query<{ id: number; name: string }>(
      `with wanted (id) as (values ${batch.map((_, index) => `(cast($${index + 1} as bigint))`).join(", ")})
       select id, coalesce(
         (select repository from runs where runs.repository_id = wanted.id order by started_at desc limit 1),
         (select owner || '/' || name from memory_repositories where memory_repositories.repository_id = wanted.id), ''
       ) as name from wanted`,
      batch,
    ),
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
