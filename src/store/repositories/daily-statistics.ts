/** Totals of models and degradations per day and repository, kept like those of reviews (see changed-days.ts), in the telemetry database. */
import { DAY_MS } from "../../base/day-ms.ts";
import type { Database, Row, Sql, SqlValue } from "../database.ts";
import { inBatches, rowsOf } from "../many-rows.ts";
import { addSpan, addValidDays, refreshChangedDays, type Span, splitTime } from "./changed-days.ts";
import { type Conditions, createConditions } from "./readable.ts";

/** Statistics know a repository by its name only. */
export type StatisticsRange = {
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
  /** In any case: acme/shop. Null for all. */
  readonly repository: string | null;
  /** Only repositories with these names. Omitted: all. */
  readonly names?: readonly string[];
};

export type ModelFigures = {
  readonly repository: string | null;
  readonly model: string;
  readonly attempts: number;
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly output_tokens: number;
  /** Of the attempts with a known price. */
  readonly cost_micro_usd: number;
  readonly unpriced: number;
};

export type DegradationFigures = {
  readonly repository: string | null;
  readonly what: string;
  readonly times: number;
};

/** A table of rows, the table of its totals, and how one is made from the other. */
type Totals = {
  readonly rows: string;
  readonly totals: string;
  readonly key: readonly string[];
  /** From a name to the SQL that counts rows. */
  readonly counts: Readonly<Record<string, string>>;
};

const MODELS: Totals = {
  rows: "model_runs",
  totals: "daily_models",
  key: ["day", "repository", "model"],
  counts: {
    attempts: "count(*)",
    input_tokens: "cast(sum(input_tokens) as bigint)",
    cached_input_tokens: "cast(sum(cached_input_tokens) as bigint)",
    output_tokens: "cast(sum(output_tokens) as bigint)",
    cost_micro_usd: "cast(coalesce(sum(cost_micro_usd), 0) as bigint)",
    unpriced: "cast(sum(case when cost_micro_usd is null then 1 else 0 end) as bigint)",
  },
};

const DEGRADATIONS: Totals = {
  rows: "degradations",
  totals: "daily_degradations",
  key: ["day", "repository", "what"],
  counts: { times: "cast(sum(count) as bigint)" },
};

export function addRepositoryName(
  { value, add }: Conditions,
  { repository, names }: Omit<StatisticsRange, "sinceMs">,
): void {
  if (repository !== null) add(`lower(repository) = ${value(repository.toLowerCase())}`);
  if (names === undefined) return;
  add(names.length === 0 ? "1 = 0" : `repository in (${names.map(value).join(", ")})`);
}

export function sumModels(range: StatisticsRange, telemetry: Sql): Promise<readonly ModelFigures[]> {
  return sum<ModelFigures>(MODELS, range, telemetry);
}

export function sumDegradations(
  range: StatisticsRange,
  telemetry: Sql,
): Promise<readonly DegradationFigures[]> {
  return sum<DegradationFigures>(DEGRADATIONS, range, telemetry);
}

export type DailyTokens = { readonly day: number; readonly model: string; readonly tokens: number };

/** Tokens in and out by day. A day that has changed occurs once for each repository. */
export async function readDailyTokens(
  range: StatisticsRange,
  telemetry: Sql,
): Promise<readonly DailyTokens[]> {
  const split = await splitTime(range.sinceMs, "changed_statistics_days", telemetry);
  const conditions = createConditions();
  addValidDays(conditions, split);
  addRepositoryName(conditions, range);
  const totals = await telemetry.query<DailyTokens & Row>(
    `select day, model, cast(sum(input_tokens + output_tokens) as bigint) as tokens from ${MODELS.totals}
     where ${conditions.where()} group by day, model`,
    conditions.params,
  );
  const counted = [];
  for (const span of split.spans)
    counted.push(
      await countRows<ModelFigures & { readonly day: number } & Row>(MODELS, span, range, telemetry),
    );
  return [
    ...totals,
    ...counted.flat().map(({ day, model, input_tokens: input, output_tokens: output }) => ({
      day,
      model,
      tokens: input + output,
    })),
  ];
}

/** Each repository and subject occurs once for the totals, and once more for each span of changed days. */
async function sum<Figures extends { readonly repository: string | null }>(
  made: Totals,
  range: StatisticsRange,
  telemetry: Sql,
): Promise<readonly Figures[]> {
  const split = await splitTime(range.sinceMs, "changed_statistics_days", telemetry);
  const key = made.key.filter((column) => column !== "day").join(", ");
  const conditions = createConditions();
  addValidDays(conditions, split);
  addRepositoryName(conditions, range);
  const sums = Object.keys(made.counts).map((name) => `cast(sum(${name}) as bigint) as ${name}`);
  const totals = await telemetry.query<Figures & Row>(
    `select ${key}, ${sums.join(", ")} from ${made.totals} where ${conditions.where()} group by ${key}`,
    conditions.params,
  );
  const counted = [];
  for (const span of split.spans) counted.push(await countRows<Figures & Row>(made, span, range, telemetry));
  return [...totals, ...counted.flat()].map((row) => ({ ...row, repository: row.repository || null }));
}

/** Counts the rows themselves. */
function countRows<Result extends Row>(
  { rows, key, counts }: Totals,
  span: Span,
  range: Omit<StatisticsRange, "sinceMs">,
  telemetry: Sql,
): Promise<readonly Result[]> {
  const conditions = createConditions();
  addSpan(conditions, "at", span);
  addRepositoryName(conditions, range);
  const columns: Readonly<Record<string, string>> = {
    day: `at / ${DAY_MS}`,
    repository: "coalesce(repository, '')",
  };
  const selected = [
    ...key.map((column) => `${columns[column] ?? column} as ${column}`),
    ...Object.entries(counts).map(([name, counted]) => `${counted} as ${name}`),
  ];
  return telemetry.query(
    `select ${selected.join(", ")} from ${rows} where ${conditions.where()} group by 1, 2, 3`,
    conditions.params,
  );
}

/** Makes the totals of changed days again. */
export function refreshDailyStatistics(telemetry: Database): Promise<void> {
  const refresh = async (day: number, sql: Sql): Promise<void> => {
    const span = { fromMs: day * DAY_MS, toMs: (day + 1) * DAY_MS };
    for (const made of [MODELS, DEGRADATIONS]) {
      const columns = [...made.key, ...Object.keys(made.counts)];
      await sql.query(`delete from ${made.totals} where day = $1`, [day]);
      const rows = await countRows<Readonly<Record<string, SqlValue>>>(made, span, { repository: null }, sql);
      await inBatches(rows, (batch) =>
        sql.query(
          `insert into ${made.totals} (${columns.join(", ")}) values ${rowsOf(batch.length, columns.length)}`,
          batch.flatMap((row) => columns.map((column) => row[column] ?? 0)),
        ),
      );
    }
  };
  return refreshChangedDays("changed_statistics_days", refresh, telemetry);
}

/** A repository's rows are deleted with its jobs; see telemetry.ts. */
export const STATISTICS_TOTALS = [MODELS.totals, DEGRADATIONS.totals] as const;
