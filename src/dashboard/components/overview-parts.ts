/** The parts of the overview that a report in a file has too. */
import { grouped } from "../../base/count.ts";
import { SEVERITIES } from "../../base/severity.ts";
import { dayBars, dayLines, type DaySeries } from "../charts/day-charts.ts";
import type { DayFigures } from "../../jobs/report/report.ts";
import type { Overview } from "../read/read-overview.ts";
import { dataTable } from "./data-table.ts";
import { type Html, html } from "./html.ts";
import { amount, duration, percent, severityClass, usd } from "./marks.ts";
import { section, tiles } from "./sections.ts";

/** The figures of the whole time. */
export function overviewTiles({ report: { total } }: Overview): Html {
  const { reviews, findings, outcomes, reviewMs, models } = total;
  const published = reviews.completed + reviews.partial;
  const share = published === 0 ? null : reviews.completed / published;
  return tiles([
    {
      label: "Reviews published",
      value: grouped(published),
      more: `${grouped(reviews.failed)} failed, ${grouped(reviews.skipped)} skipped`,
    },
    {
      label: "Time to review",
      value: duration(reviewMs?.median ?? null),
      more: `p95 ${duration(reviewMs?.p95 ?? null)}`,
    },
    {
      label: "Findings reported",
      value: grouped(findings.reported),
      more: `of ${grouped(findings.found)} found`,
    },
    {
      label: "Acceptance",
      value: percent(outcomes.acceptance),
      more: `${grouped(outcomes.accepted)} accepted, ${grouped(outcomes.dismissed)} dismissed, ${grouped(outcomes.ignored)} ignored`,
    },
    {
      label: "Cost of models",
      value: `$${models.costUsd.toFixed(2)}`,
      more: `${amount(models.inputTokens)} tokens in, ${amount(models.outputTokens)} out${models.unpricedAttempts === 0 ? "" : `; ${grouped(models.unpricedAttempts)} attempts without a known price`}`,
    },
    { label: "Read completely", value: percent(share), more: `${grouped(reviews.partial)} partial reviews` },
  ]);
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

const DURATION_STEPS = [
  ...[1, 5, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 20, 30, 60, 120, 240].map((minutes) => minutes * MINUTE_MS),
];

/** The same, day by day. */
export function overviewCharts({ days: figures, costs, tokens }: Overview): Html {
  const days = figures.map(({ day }) => day);
  const ofStatus = (name: keyof DayFigures["reviews"], look: string): DaySeries => ({
    name,
    look,
    values: figures.map(({ reviews }) => reviews[name]),
  });
  return html`<div class="charts">
    ${dayBars({
      title: "Reviews per day",
      days,
      format: amount,
      series: [
        ofStatus("completed", "c1"),
        ofStatus("partial", "c2"),
        ofStatus("failed", "c3"),
        ofStatus("skipped", "c4"),
        ofStatus("superseded", "c5"),
      ],
    })}${dayLines({
      title: "Time to review",
      days,
      format: duration,
      steps: DURATION_STEPS,
      series: [
        { name: "median", look: "c1", values: figures.map(({ reviewMs }) => reviewMs?.median ?? null) },
        { name: "p95", look: "c2", values: figures.map(({ reviewMs }) => reviewMs?.p95 ?? null) },
      ],
    })}${dayBars({
      title: "Findings reported, by severity",
      days,
      format: amount,
      series: SEVERITIES.map((severity) => ({
        name: severity,
        look: severityClass(severity),
        values: figures.map(({ findings }) => findings.bySeverity[severity]),
      })),
    })}${dayBars({
      title: "What people did with findings",
      days,
      format: amount,
      series: OUTCOMES.map(([name, look]) => ({
        name,
        look,
        values: figures.map(({ outcomes }) => outcomes[name]),
      })),
    })}${dayBars({
      title: "Cost of models",
      days,
      format: usd,
      series: modelSeries(
        costs.map(({ day, model, micro_usd: value }) => ({ day, model, value })),
        days,
      ),
    })}${dayBars({
      title: "Tokens of models",
      days,
      format: amount,
      series: modelSeries(
        tokens.map(({ day, model, tokens: value }) => ({ day, model, value })),
        days,
      ),
    })}
  </div>`;
}

const OUTCOMES = [
  ["accepted", "c1"],
  ["dismissed", "c3"],
  ["ignored", "c4"],
  ["open", "c5"],
] as const;

type OfModel = { readonly day: number; readonly model: string; readonly value: number };

/** The chart has this many colours; the models with the highest values get their own. */
const MAX_MODELS = 4;

function modelSeries(all: readonly OfModel[], days: readonly number[]): readonly DaySeries[] {
  const sumOf = (rows: readonly OfModel[]): number => rows.reduce((sum, { value }) => sum + value, 0);
  const valuesOf = (rows: readonly OfModel[]): readonly number[] => {
    const byDay = Map.groupBy(rows, ({ day }) => day);
    return days.map((day) => sumOf(byDay.get(day) ?? []));
  };
  const totals = [...Map.groupBy(all, ({ model }) => model)]
    .map(([model, rows]) => ({ model, rows, total: sumOf(rows) }))
    .toSorted((a, b) => b.total - a.total);
  const own = totals.slice(0, MAX_MODELS).map(({ model, rows }, index) => ({
    name: model,
    look: `c${index + 1}`,
    values: valuesOf(rows),
  }));
  const others = totals.slice(MAX_MODELS).flatMap(({ rows }) => rows);
  return others.length === 0 ? own : [...own, { name: "other models", look: "c5", values: valuesOf(others) }];
}

/** More rows say less; `kodiai report` has all. */
const MAX_ROWS = 20;

export function overviewDegradations({ report: { degradations } }: Overview): Html {
  if (degradations.length === 0)
    return section("Degradations", html`<p class="quiet">No review had to do without anything.</p>`);
  return section(
    "Degradations",
    dataTable({
      caption: "Degradations",
      columns: [{ label: "Reviews did without" }, { label: "Times", isNumber: true }],
      rows: degradations.slice(0, MAX_ROWS).map(({ what, times }) => [what, grouped(times)]),
    }),
  );
}

/** By repository and model. Only pages of the dashboard have links. */
export function overviewTables(
  { report, repositories }: Overview,
  { isLinked }: { readonly isLinked: boolean },
): Html {
  const ids = new Map(repositories.map(({ id, name }) => [name.toLowerCase(), id]));
  const rows = report.repositories.toSorted((a, b) => publishedOf(b) - publishedOf(a)).slice(0, MAX_ROWS);
  return html`${section(
    "Repositories",
    dataTable({
      caption: "Repositories",
      columns: [
        { label: "Repository" },
        ...["Reviews", "Failed", "Findings", "Acceptance", "Median", "p95", "Cost"].map((label) => ({
          label,
          isNumber: true as const,
        })),
      ],
      rows: rows.map((each) => {
        const id = ids.get(each.repository.toLowerCase());
        return [
          id === undefined || !isLinked
            ? each.repository
            : html`<a href="/repositories/${id}">${each.repository}</a>`,
          grouped(publishedOf(each)),
          grouped(each.reviews.failed),
          grouped(each.findings.reported),
          percent(each.outcomes.acceptance),
          duration(each.reviewMs?.median ?? null),
          duration(each.reviewMs?.p95 ?? null),
          `$${each.models.costUsd.toFixed(2)}`,
        ];
      }),
    }),
    report.repositories.length > MAX_ROWS ? `The ${MAX_ROWS} with the most reviews.` : null,
  )}${
    report.models.length === 0
      ? null
      : section(
          "Models",
          dataTable({
            caption: "Models",
            columns: [
              { label: "Model" },
              ...["Attempts", "Tokens in", "Cached", "Tokens out", "Cost"].map((label) => ({
                label,
                isNumber: true as const,
              })),
            ],
            rows: report.models.map((each) => [
              each.model,
              grouped(each.attempts),
              amount(each.inputTokens),
              amount(each.cachedInputTokens),
              amount(each.outputTokens),
              `$${each.costUsd.toFixed(2)}`,
            ]),
          }),
        )
  }`;
}

function publishedOf({
  reviews,
}: {
  readonly reviews: { readonly completed: number; readonly partial: number };
}): number {
  return reviews.completed + reviews.partial;
}
