/** A report as text for a terminal, and as CSV with one figure per line. */
import { count, grouped } from "../base/count.ts";
import { printable } from "../base/printable.ts";
import { SEVERITIES } from "../base/severity.ts";
import type {
  FindingFigures,
  ModelTotals,
  OutcomeFigures,
  Report,
  ReportFigures,
  Spread,
} from "../jobs/report/report.ts";

/** Enough to see which ones matter. JSON has all. */
const MAX_LISTED = 10;

export function renderReport(report: Report): string {
  const { since, until, repository, total, repositories, models, degradations } = report;
  const about = repository === null ? count(repositories.length, "repository", "repositories") : repository;
  const blocks = [
    [`${about}, ${since.slice(0, 16)} to ${until.slice(0, 16)} UTC`],
    figureLines(total),
    ...(repositories.length > 1 ? repositories.slice(0, MAX_LISTED).map(repositoryLines) : []),
    repositories.length > MAX_LISTED
      ? [
          `… and ${count(repositories.length - MAX_LISTED, "more repository", "more repositories")}; --json has all`,
        ]
      : [],
    models.length === 0 ? [] : ["Models", ...models.map((each) => `  ${each.model}: ${modelText(each)}`)],
    degradations.length === 0
      ? []
      : [
          "Degradations",
          ...degradations.slice(0, MAX_LISTED).map(({ what, times }) => `  ${what}: ${count(times, "time")}`),
        ],
  ];
  const shown = blocks.filter((lines) => lines.length > 0).map((lines) => lines.map(printable).join("\n"));
  return `${shown.join("\n\n")}\n`;
}

function repositoryLines(figures: Report["repositories"][number]): readonly string[] {
  return [figures.repository, ...figureLines(figures).map((line) => `  ${line}`)];
}

function figureLines({
  reviews,
  answers,
  findings,
  outcomes,
  reported,
  reviewMs,
  models,
  degradations,
  retrieval,
}: ReportFigures): readonly string[] {
  const published = reviews.completed + reviews.partial;
  const severities = SEVERITIES.filter((severity) => findings.bySeverity[severity] > 0).map(
    (severity) => `${grouped(findings.bySeverity[severity])} ${severity}`,
  );
  return [
    `reviews       ${grouped(published)} published (${grouped(reviews.partial)} partial), ${grouped(reviews.failed)} failed, ${grouped(reviews.skipped)} skipped, ${grouped(reviews.superseded)} superseded`,
    `answers       ${grouped(answers)} to mentions`,
    `findings      ${grouped(findings.reported)} reported of ${grouped(findings.found)}${severities.length === 0 ? "" : `: ${severities.join(", ")}`}`,
    `acceptance    ${outcomes.acceptance === null ? "nothing accepted or dismissed yet" : `${percent(outcomes.acceptance)}: ${grouped(outcomes.accepted)} accepted, ${grouped(outcomes.dismissed)} dismissed`}; ${grouped(outcomes.ignored)} merged untouched, ${grouped(outcomes.open)} open`,
    ...reportedLines(reported),
    `review time   ${secondsText(reviewMs)}`,
    `models        ${models.attempts === 0 ? "none used" : modelText(models)}`,
    `degradations  ${grouped(degradations)}`,
    `memory        ${retrievalText(retrieval)}`,
  ];
}

/** Groups with an outcome that says something; the others are in JSON. */
function reportedLines({ atMerge, advice, ...groups }: FindingFigures): readonly string[] {
  const { merged, resolved, changed, declined, unchanged, removed, resolution } = atMerge;
  return [
    groupLine("by confidence", groups.byConfidence),
    groupLine("by source", groups.bySource),
    groupLine("by category", groups.byCategory),
    groupLine("by verdict", groups.byVerdict),
    groupLine("by mode", groups.byMode),
    `at the merge  ${resolution === null ? "no merged pull request with findings yet" : `${percent(resolution)} resolved: ${grouped(resolved)} of ${grouped(merged)}; ${grouped(changed)} changed and not checked again, ${grouped(declined)} declined, ${grouped(unchanged)} unchanged, ${grouped(removed)} no longer in the change`}`,
    advice === null
      ? ""
      : `setting       \`${advice.setting}\` would have hidden ${grouped(advice.dismissed)} dismissed and ${grouped(advice.accepted)} accepted findings`,
  ].filter((line) => line !== "");
}

function groupLine(name: string, groups: Readonly<Record<string, OutcomeFigures>>): string {
  const decided = Object.entries(groups).filter(([, { acceptance }]) => acceptance !== null);
  const texts = decided.map(
    ([key, { acceptance, accepted, dismissed }]) =>
      `${key} ${percent(acceptance ?? 0)} of ${grouped(accepted + dismissed)}`,
  );
  return texts.length === 0 ? "" : `  ${name.padEnd(13)} ${texts.join("; ")}`;
}

function modelText(totals: ModelTotals): string {
  const { attempts, inputTokens, cachedInputTokens, outputTokens, costUsd, unpricedAttempts } = totals;
  const unpriced =
    unpricedAttempts === 0 ? "" : `, and ${count(unpricedAttempts, "attempt")} without a known price`;
  return `${count(attempts, "attempt")}, ${grouped(inputTokens)} tokens in (${grouped(cachedInputTokens)} cached), ${grouped(outputTokens)} out, $${costUsd.toFixed(2)}${unpriced}`;
}

function retrievalText(retrieval: ReportFigures["retrieval"]): string {
  const { searches, failed, withResults, shown, sameLanguage, recurred, distance } = retrieval;
  if (searches === 0) return "not searched";
  const found = `${count(searches, "search", "searches")}, ${grouped(withResults)} with results, ${grouped(failed)} failed`;
  if (shown === 0) return found;
  const median = distance === null ? "" : `, median distance ${distance.median.toFixed(2)}`;
  return `${found}; ${count(shown, "finding")} shown, ${percent(sameLanguage ?? 0)} in the same language, ${percent(recurred ?? 0)} found again${median}`;
}

function secondsText(spread: Spread): string {
  if (spread === null) return "no published review";
  const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
  return `median ${seconds(spread.median)}, 95 of 100 within ${seconds(spread.p95)}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** The columns: what the figure is about, its name, the figure, and the value; empty where there is none. */
export function renderReportCsv({ total, repositories, models, degradations }: Report): string {
  const rows = [
    ["scope", "name", "figure", "value"],
    ...rowsOf("total", "", total),
    ...repositories.flatMap(({ repository, ...figures }) => rowsOf("repository", repository, figures)),
    ...models.flatMap(({ model, ...totals }) => rowsOf("model", model, totals)),
    ...degradations.map(({ what, times }) => ["degradation", what, "times", String(times)]),
  ];
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

function rowsOf(scope: string, name: string, figures: object, prefix = ""): readonly (readonly string[])[] {
  return Object.entries(figures).flatMap(([key, value]: [string, unknown]) => {
    const figure = `${prefix}${key}`;
    if (typeof value === "object" && value !== null) return rowsOf(scope, name, value, `${figure}.`);
    return [
      [scope, name, figure, typeof value === "number" || typeof value === "string" ? String(value) : ""],
    ];
  });
}

/** Quoted as RFC 4180 asks. A spreadsheet must not take a name for a formula. */
function cell(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) && Number.isNaN(Number(value)) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
