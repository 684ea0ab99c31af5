/**
 * Reads the figures of a report from both databases and adds them up, in total and per repository and model. All figures of reviews and
 * findings come from daily totals. Pages of the dashboard show the summary, to which `kodiai report` adds details.
 */
import type { Database } from "../../store/database.ts";
import {
  type DegradationFigures,
  type ModelFigures,
  sumDegradations,
  sumModels,
} from "../../store/repositories/daily-statistics.ts";
import { type DailyTotals, readDailyTotals, readLastNames } from "../../store/repositories/daily-totals.ts";
import {
  addUpFindings,
  type FindingCounts,
  readFindingCounts,
} from "../../store/repositories/daily-findings.ts";
import { readRetrievals, type ReportRange, type RetrievalFigures } from "../../store/repositories/report.ts";
import { fromMicroUsd } from "../spending/micro-usd.ts";
import { addUpDays, shareOf, spreadOf } from "./add-up-days.ts";
import { findingFiguresOf } from "./finding-figures.ts";
import type { ModelTotals, Report, ReportFigures, ReportSummary, SummaryFigures } from "./report.ts";

export type ReportSources = {
  readonly database: Database;
  readonly telemetry: Database;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

/** Rows with the name of their repository; null for work that belongs to none. */
type Named<Row> = readonly (Row & { readonly repository: string | null })[];

type ReportTotals = {
  readonly days: Named<DailyTotals>;
  readonly models: Named<ModelFigures>;
  readonly degradations: Named<DegradationFigures>;
};

type Details = {
  readonly reported: Named<{ readonly counts: FindingCounts }>;
  readonly retrievals: Named<RetrievalFigures>;
};

export async function readTotals(
  range: ReportRange,
  { database, telemetry }: Pick<ReportSources, "database" | "telemetry">,
): Promise<ReportTotals> {
  const { sinceMs, ids, repository } = range;
  // PostgreSQL answers them side by side.
  const [days, models, degradations] = await Promise.all([
    readDailyTotals({ sinceMs, readable: ids ?? "all" }, database).then((rows) =>
      nameRows(rows, repository, database),
    ),
    sumModels(range, telemetry),
    sumDegradations(range, telemetry),
  ]);
  return { days, models, degradations };
}

/** Those of the repository with this name; null for all. */
async function nameRows<Row extends { readonly repositoryId: number }>(
  rows: readonly Row[],
  repository: string | null,
  database: Database,
): Promise<readonly (Row & { readonly repository: string })[]> {
  const names = await readLastNames([...new Set(rows.map((row) => row.repositoryId))], database);
  const named = rows.map((row) => ({ ...row, repository: names.get(row.repositoryId) ?? "" }));
  const wanted = repository === null ? null : keyOf(repository);
  return wanted === null ? named : named.filter((row) => keyOf(row.repository) === wanted);
}

export function summarize(
  totals: ReportTotals,
  { sinceMs, repository }: ReportRange,
  now: number,
): ReportSummary {
  const of = groupTotals(totals);
  return {
    since: new Date(sinceMs).toISOString(),
    until: new Date(now).toISOString(),
    repository,
    total: addUpTotals(totals),
    repositories: namesIn(Object.values(totals)).map(([key, name]) => ({
      repository: name,
      ...addUpTotals(of(key)),
    })),
    models: [...Map.groupBy(totals.models, ({ model }) => model)]
      .map(([model, rows]) => ({ model, ...totalsOf(rows) }))
      .toSorted((a, b) => (a.model < b.model ? -1 : 1)),
    degradations: [...Map.groupBy(totals.degradations, ({ what }) => what)]
      .map(([what, rows]) => ({ what, times: sum(rows, ({ times }) => times) }))
      .toSorted((a, b) => b.times - a.times || (a.what < b.what ? -1 : 1)),
  };
}

export async function readReport(
  range: ReportRange,
  { database, telemetry, now }: ReportSources,
): Promise<Report> {
  const totals = await readTotals(range, { database, telemetry });
  const details = {
    reported: await readReported(range, database),
    retrievals: await readRetrievals(range, telemetry),
  };
  const [ofTotals, ofDetails] = [groupTotals(totals), groupDetails(details)];
  const names = namesIn([...Object.values(totals), ...Object.values(details)]);
  return {
    version: 1,
    ...summarize(totals, range, now()),
    total: addUp(totals, details),
    repositories: names.map(([key, repository]) => ({ repository, ...addUp(ofTotals(key), ofDetails(key)) })),
  };
}

async function readReported({ sinceMs, ids, repository }: ReportRange, database: Database) {
  const counts = await readFindingCounts({ sinceMs, readable: ids ?? "all" }, database);
  const rows = [...counts].map(([repositoryId, each]) => ({ repositoryId, counts: each }));
  return nameRows(rows, repository, database);
}

/** Names in their usual spelling, by their spelling in lower case, which the tables share. */
function namesIn(lists: readonly Named<object>[]): readonly (readonly [key: string, name: string])[] {
  const names = new Map<string, string>();
  for (const rows of lists)
    for (const { repository } of rows)
      if (repository !== null && !names.has(keyOf(repository))) names.set(keyOf(repository), repository);
  return [...names].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function keyOf(repository: string): string {
  return repository.toLowerCase();
}

function byName<Row>(rows: Named<Row>): (key: string) => Named<Row> {
  const groups = Map.groupBy(rows, ({ repository }) => (repository === null ? null : keyOf(repository)));
  return (key) => groups.get(key) ?? [];
}

function groupTotals({ days, models, degradations }: ReportTotals): (key: string) => ReportTotals {
  const [ofDays, ofModels, ofDegradations] = [byName(days), byName(models), byName(degradations)];
  return (key) => ({ days: ofDays(key), models: ofModels(key), degradations: ofDegradations(key) });
}

function groupDetails({ reported, retrievals }: Details): (key: string) => Details {
  const [ofReported, ofRetrievals] = [byName(reported), byName(retrievals)];
  return (key) => ({ reported: ofReported(key), retrievals: ofRetrievals(key) });
}

function addUpTotals({ days, models, degradations }: ReportTotals): SummaryFigures {
  return {
    ...addUpDays(days),
    models: totalsOf(models),
    degradations: sum(degradations, ({ times }) => times),
  };
}

function addUp(totals: ReportTotals, { reported, retrievals }: Details): ReportFigures {
  return {
    ...addUpTotals(totals),
    reported: findingFiguresOf(addUpFindings(reported.map(({ counts }) => counts))),
    retrieval: retrievalOf(retrievals),
  };
}

function totalsOf(rows: readonly ModelFigures[]): ModelTotals {
  return {
    attempts: sum(rows, ({ attempts }) => attempts),
    inputTokens: sum(rows, (row) => row.input_tokens),
    cachedInputTokens: sum(rows, (row) => row.cached_input_tokens),
    outputTokens: sum(rows, (row) => row.output_tokens),
    costUsd: fromMicroUsd(sum(rows, (row) => row.cost_micro_usd)),
    unpricedAttempts: sum(rows, ({ unpriced }) => unpriced),
  };
}

function retrievalOf(rows: readonly RetrievalFigures[]): ReportFigures["retrieval"] {
  const shown = sum(rows, (row) => row.shown);
  const sharing = (value: (row: RetrievalFigures) => number): number | null =>
    shareOf(sum(rows, value), shown);
  return {
    searches: rows.length,
    failed: rows.filter(({ outcome }) => outcome === "failed").length,
    withResults: rows.filter((row) => row.shown > 0).length,
    shown,
    sameLanguage: sharing((row) => row.same_language),
    recurred: sharing((row) => row.recurred),
    // Only this program writes these distances.
    distance: spreadOf(rows.map((row) => JSON.parse(row.distances) as readonly number[])),
    ms: spreadOf([rows.map(({ ms }) => ms)]),
  };
}

function sum<Item>(items: readonly Item[], valueOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0);
}
