/** Reads the figures of a report from both databases and adds them up, in total and per repository and model. */
import { SEVERITIES, type Severity } from "../../base/severity.ts";
import type { Database } from "../../store/database.ts";
import {
  countAnswers,
  countBySeverity,
  countOutcomes,
  countReviews,
  type ModelFigures,
  readDurations,
  readReportedFindings,
  readRetrievals,
  type ReportRange,
  sumDegradations,
  sumModelRuns,
} from "../../store/repositories/report.ts";
import { fromMicroUsd } from "../spending/micro-usd.ts";
import { findingFiguresOf, toKnownFinding } from "./finding-figures.ts";
import type { ModelTotals, Report, ReportFigures, Spread } from "./report.ts";

export type ReportSources = {
  readonly database: Database;
  readonly telemetry: Database;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

type Figures = Awaited<ReturnType<typeof readFigures>>;

export async function readReport(
  range: ReportRange,
  { database, telemetry, now }: ReportSources,
): Promise<Report> {
  const all = await readFigures(range, database, telemetry);
  const names = namesIn(all);
  return {
    version: 1,
    since: new Date(range.sinceMs).toISOString(),
    until: new Date(now()).toISOString(),
    repository: range.repository,
    total: addUp(all),
    repositories: [...names].map(([key, repository]) => ({ repository, ...addUp(only(key, all)) })),
    models: [...Map.groupBy(all.models, ({ model }) => model)].map(([model, rows]) => ({
      model,
      ...totalsOf(rows),
    })),
    degradations: [...Map.groupBy(all.degradations, ({ what }) => what)]
      .map(([what, rows]) => ({ what, times: sum(rows, ({ times }) => times) }))
      .toSorted((a, b) => b.times - a.times),
  };
}

async function readFigures(range: ReportRange, database: Database, telemetry: Database) {
  return {
    reviews: await countReviews(range, database),
    answers: await countAnswers(range, database),
    durations: await readDurations(range, database),
    severities: await countBySeverity(range, database),
    outcomes: await countOutcomes(range, database),
    reported: await readKnownFindings(range, database),
    models: await sumModelRuns(range, telemetry),
    degradations: await sumDegradations(range, telemetry),
    retrievals: await readRetrievals(range, telemetry),
  };
}

/** Without the texts of the findings. */
async function readKnownFindings(range: ReportRange, database: Database) {
  const known = [];
  for await (const rows of readReportedFindings(range, database))
    for (const row of rows) known.push({ repository: row.repository, ...toKnownFinding(row) });
  return known;
}

/** Names in their usual spelling, by their spelling in lower case, which the tables share. */
function namesIn(figures: Figures): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const rows of Object.values(figures))
    for (const { repository } of rows)
      if (repository !== null && !names.has(keyOf(repository))) names.set(keyOf(repository), repository);
  return new Map([...names].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function only(key: string, figures: Figures): Figures {
  const isOwn = ({ repository }: { readonly repository: string | null }): boolean =>
    repository !== null && keyOf(repository) === key;
  return {
    reviews: figures.reviews.filter(isOwn),
    answers: figures.answers.filter(isOwn),
    durations: figures.durations.filter(isOwn),
    severities: figures.severities.filter(isOwn),
    outcomes: figures.outcomes.filter(isOwn),
    reported: figures.reported.filter(isOwn),
    models: figures.models.filter(isOwn),
    degradations: figures.degradations.filter(isOwn),
    retrievals: figures.retrievals.filter(isOwn),
  };
}

function keyOf(repository: string): string {
  return repository.toLowerCase();
}

function addUp(figures: Figures): ReportFigures {
  const withStatus = (status: string) => figures.reviews.filter((row) => row.status === status);
  const reviewsOf = (status: string): number => sum(withStatus(status), ({ reviews }) => reviews);
  const published = [...withStatus("completed"), ...withStatus("partial")];
  return {
    reviews: {
      completed: reviewsOf("completed"),
      partial: reviewsOf("partial"),
      failed: reviewsOf("failed"),
      skipped: reviewsOf("skipped"),
      superseded: reviewsOf("superseded"),
    },
    answers: sum(figures.answers, ({ answers }) => answers),
    findings: {
      found: sum(published, ({ findings }) => findings),
      reported: sum(published, ({ reported }) => reported),
      bySeverity: bySeverity(figures.severities),
    },
    outcomes: outcomesOf(figures.outcomes),
    reported: findingFiguresOf(figures.reported),
    reviewMs: spreadOf(figures.durations.map(({ ms }) => ms)),
    models: totalsOf(figures.models),
    degradations: sum(figures.degradations, ({ times }) => times),
    retrieval: retrievalOf(figures.retrievals),
  };
}

function bySeverity(rows: Figures["severities"]): Readonly<Record<Severity, number>> {
  const counts = SEVERITIES.map((severity) => {
    const own = rows.filter((row) => row.severity === severity);
    return [severity, sum(own, ({ findings }) => findings)];
  });
  return Object.fromEntries(counts) as Record<Severity, number>;
}

function outcomesOf(rows: Figures["outcomes"]): ReportFigures["outcomes"] {
  const of = (outcome: string): number =>
    sum(
      rows.filter((row) => row.outcome === outcome),
      ({ findings }) => findings,
    );
  const [accepted, dismissed] = [of("accepted"), of("dismissed")];
  const acceptance = shareOf(accepted, accepted + dismissed);
  return { accepted, dismissed, ignored: of("ignored"), open: of("open"), acceptance };
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

function retrievalOf(rows: Figures["retrievals"]): ReportFigures["retrieval"] {
  const shown = sum(rows, (row) => row.shown);
  // Only this program writes these distances.
  const distances = rows.flatMap((row) => JSON.parse(row.distances) as readonly number[]);
  return {
    searches: rows.length,
    failed: rows.filter(({ outcome }) => outcome === "failed").length,
    withResults: rows.filter((row) => row.shown > 0).length,
    shown,
    sameLanguage: shareOf(
      sum(rows, (row) => row.same_language),
      shown,
    ),
    recurred: shareOf(
      sum(rows, ({ recurred }) => recurred),
      shown,
    ),
    distance: spreadOf(distances),
    ms: spreadOf(rows.map(({ ms }) => ms)),
  };
}

function sum<Item>(items: readonly Item[], valueOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0);
}

function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  return sorted.length === 0 ? null : { median: at(0.5), p95: at(0.95) };
}
