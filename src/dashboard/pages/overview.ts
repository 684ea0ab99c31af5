/** The first page: what reviews found, how people took it, what it cost, and what is running now. */
import { grouped } from "../../base/count.ts";
import { SEVERITIES } from "../../base/severity.ts";
import { dayBars, dayLines, type DaySeries } from "../charts/day-charts.ts";
import { dataTable } from "../components/data-table.ts";
import { type Html, html } from "../components/html.ts";
import { amount, duration, percent, severityClass, usd } from "../components/marks.ts";
import { runningList } from "../components/running-list.ts";
import { choices, emptyState, section, selectField, tiles } from "../components/sections.ts";
import type { DashboardPage, PageDeps, PageRequest } from "../page.ts";
import { type Overview, readOverview } from "../read/read-overview.ts";
import { readRunning } from "../read/read-running.ts";
import { readChoice, readId, withQuery } from "../read/read-query.ts";

const DAYS = ["7", "30", "90"] as const;

export const overviewPage: DashboardPage = {
  path: "/",
  needs: "anyone-signed-in",
  async answer(request, deps) {
    const { query, viewer } = request;
    const days = Number(readChoice(query, "days", DAYS) ?? "7");
    const repositoryId = readId(query, "repository");
    const readable = viewer.repositories;
    const live = await readLive(request, deps);
    const overview = await readOverview({ readable, repositoryId, days }, deps);
    const isEmpty = overview.reviews.length === 0 && overview.repositories.length === 0;
    const body = isEmpty
      ? html`${section("Now", live)}${firstRun(request)}`
      : html`${filters(overview, { days, repositoryId })}${figures(overview)}${charts(overview)}
          <div class="columns">${section("Now", live)}${degradationsOf(overview)}</div>
          ${breakdowns(overview)}`;
    return { kind: "page", title: "Overview", body };
  },
};

/** The part of the overview that the script asks for again. */
export const livePage: DashboardPage = {
  path: "/live",
  needs: "anyone-signed-in",
  async answer(request, deps) {
    const live = await readLive(request, deps);
    return { kind: "data", contentType: "text/html; charset=utf-8", body: live.toString() };
  },
};

async function readLive({ viewer }: PageRequest, deps: PageDeps): Promise<Html> {
  const running = await readRunning(viewer.repositories, deps);
  const stats = viewer.isAdmin ? await deps.queue.stats() : null;
  return runningList(running, { stats, now: deps.now() });
}

function firstRun({ viewer }: PageRequest): Html {
  const next = viewer.isAdmin
    ? html`Install the GitHub App on a repository and open a pull request; its review appears here. If nothing
        happens, <a href="/health">Health</a> says why.`
    : html`You see the repositories that GitHub lets you read. Open a pull request in one that Kodiai reviews,
      or ask an administrator whether the app is installed there.`;
  return emptyState("No reviews yet.", next);
}

function filters(
  { repositories }: Overview,
  { days, repositoryId }: { readonly days: number; readonly repositoryId: number | null },
): Html {
  const repository = repositoryId === null ? "" : String(repositoryId);
  return html`<div class="filters">
    ${choices(
      "Time",
      DAYS.map((each) => ({
        label: `${each} days`,
        href: withQuery("/", { days: each, repository }),
        isChosen: Number(each) === days,
      })),
    )}
    <form method="get" action="/">
      <input type="hidden" name="days" value="${days}" />${selectField(
        { name: "repository", label: "Repository", chosen: repository },
        [["", "All repositories"], ...repositories.map(({ id, name }) => [String(id), name] as const)],
      )}<button>Show</button>
    </form>
  </div>`;
}

function figures({ report: { total } }: Overview): Html {
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

function charts({ days, reviews, times, severities, costs }: Overview): Html {
  const valuesOf = <Row extends { readonly day: number }>(
    rows: readonly Row[],
    valueOf: (row: Row) => number,
  ) => {
    const byDay = Map.groupBy(rows, ({ day }) => day);
    return days.map((day) => (byDay.get(day) ?? []).reduce((sum, row) => sum + valueOf(row), 0));
  };
  const ofStatus = (name: string, look: string): DaySeries => ({
    name,
    look,
    values: valuesOf(
      reviews.filter(({ status }) => status === name),
      (row) => row.reviews,
    ),
  });
  const timeOf = new Map(times.map((row) => [row.day, row]));
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
      series: [
        { name: "median", look: "c1", values: days.map((day) => timeOf.get(day)?.median ?? null) },
        { name: "p95", look: "c2", values: days.map((day) => timeOf.get(day)?.p95 ?? null) },
      ],
    })}${dayBars({
      title: "Findings reported, by severity",
      days,
      format: amount,
      series: SEVERITIES.map((severity) => ({
        name: severity,
        look: severityClass(severity),
        values: valuesOf(
          severities.filter((row) => row.severity === severity),
          (row) => row.findings,
        ),
      })),
    })}${dayBars({
      title: "Cost of models",
      days,
      format: usd,
      series: costSeries(costs, (rows) => valuesOf(rows, (row) => row.micro_usd)),
    })}
  </div>`;
}

/** The chart has this many colours; the dearest models get their own. */
const MAX_MODELS = 4;

function costSeries(
  costs: Overview["costs"],
  valuesOf: (rows: Overview["costs"]) => readonly number[],
): readonly DaySeries[] {
  const totals = [...Map.groupBy(costs, ({ model }) => model)]
    .map(([model, rows]) => ({ model, rows, total: rows.reduce((sum, row) => sum + row.micro_usd, 0) }))
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

function degradationsOf({ report: { degradations } }: Overview): Html {
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

function breakdowns({ report, repositories }: Overview): Html {
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
          id === undefined ? each.repository : html`<a href="/repositories/${id}">${each.repository}</a>`,
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
