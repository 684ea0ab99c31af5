/** The list of reviews, newest first, with filters that are part of the address. */
import { DAY_MS } from "../../base/day-ms.ts";
import { dataTable } from "../components/data-table.ts";
import { type Html, html } from "../components/html.ts";
import { commit, duration, severityCounts, stateMark, timeAgo, usd } from "../components/marks.ts";
import { emptyState, selectField } from "../components/sections.ts";
import type { DashboardPage, PageDeps } from "../page.ts";
import { parseId, readChoice, readId, withQuery } from "../read/read-query.ts";
import {
  countFindingsOfRuns,
  listRepositoryNames,
  listReviews,
  type ReviewedRepository,
  sumCosts,
} from "../../store/repositories/listed-reviews.ts";
import type { Run } from "../../store/repositories/to-run.ts";

const STATUSES = ["completed", "partial", "running", "failed", "skipped", "superseded"] as const;
const DAYS = ["1", "7", "30", "90"] as const;
const PER_PAGE = 50;

type Filters = {
  readonly repositoryId: number | null;
  readonly pullRequest: number | null;
  readonly status: (typeof STATUSES)[number] | null;
  readonly days: (typeof DAYS)[number] | null;
};

export const reviewsPage: DashboardPage = {
  path: "/reviews",
  needs: "anyone-signed-in",
  async answer({ query, viewer }, deps) {
    const filters: Filters = {
      repositoryId: readId(query, "repository"),
      pullRequest: readId(query, "pr"),
      status: readChoice(query, "status", STATUSES),
      days: readChoice(query, "days", DAYS),
    };
    const readable = viewer.repositories;
    const found = await listReviews(
      {
        readable,
        repositoryId: filters.repositoryId,
        pullRequest: filters.pullRequest,
        status: filters.status,
        sinceMs: filters.days === null ? null : deps.now() - Number(filters.days) * DAY_MS,
        after: readAfter(query),
        limit: PER_PAGE + 1,
      },
      deps.database,
    );
    const names = await listRepositoryNames(readable, deps.database);
    const shown = found.slice(0, PER_PAGE);
    const last = found.length > PER_PAGE ? shown.at(-1) : undefined;
    const body = html`${form(filters, names)}${
      shown.length === 0 ? nothing(query, names) : await table(shown, deps)
    }${last === undefined ? null : html`<p><a rel="next" href="${nextPage(filters, last)}">Older reviews</a></p>`}`;
    return { kind: "page", title: "Reviews", body };
  },
};

/** `after=<time>-<id>` */
function readAfter(query: URLSearchParams) {
  const [startedAt, id] = (query.get("after") ?? "").split("-").map(parseId);
  return startedAt == null || id == null ? null : { startedAt, id };
}

function nextPage(filters: Filters, { startedAt, id }: Run): string {
  return withQuery("/reviews", { ...valuesOf(filters), after: `${startedAt}-${id}` });
}

function valuesOf({ repositoryId, pullRequest, status, days }: Filters) {
  return {
    repository: repositoryId === null ? "" : String(repositoryId),
    pr: pullRequest === null ? "" : String(pullRequest),
    status: status ?? "",
    days: days ?? "",
  };
}

function form(filters: Filters, names: readonly ReviewedRepository[]): Html {
  const { repository, pr, status, days } = valuesOf(filters);
  return html`<form class="filters" method="get" action="/reviews" role="search">
    ${selectField({ name: "repository", label: "Repository", chosen: repository }, [
      ["", "All"],
      ...names.map(({ id, name }) => [String(id), name] as const),
    ])}<label>Pull request <input name="pr" inputmode="numeric" size="6" value="${pr}" /></label
    >${selectField({ name: "status", label: "Outcome", chosen: status }, [
      ["", "All"],
      ...STATUSES.map((each) => [each, each] as const),
    ])}${selectField({ name: "days", label: "Time", chosen: days }, [
      ["", "Any time"],
      ...DAYS.map((each) => [each, each === "1" ? "Last day" : `Last ${each} days`] as const),
    ])}<button>Show</button>
  </form>`;
}

function nothing(query: URLSearchParams, names: readonly ReviewedRepository[]): Html {
  return query.size > 0 && names.length > 0
    ? emptyState("No review matches.", html`<a href="/reviews">Show all reviews</a>`)
    : emptyState(
        "No reviews yet.",
        "A review appears here as soon as Kodiai starts one. Open a pull request in a repository that has the app.",
      );
}

async function table(runs: readonly Run[], { database, now }: PageDeps): Promise<Html> {
  const ids = runs.map(({ id }) => id);
  const costs = new Map((await sumCosts(ids, database)).map((row) => [row.run_id, row.micro_usd]));
  const findings = Map.groupBy(await countFindingsOfRuns(ids, database), (row) => row.run_id);
  return dataTable({
    caption: "Reviews",
    columns: [
      { label: "Pull request" },
      { label: "Outcome" },
      { label: "Findings" },
      { label: "Head" },
      { label: "Took", isNumber: true },
      { label: "Cost", isNumber: true },
      { label: "Started" },
    ],
    rows: runs.map((run) => {
      const { id, repository, pullRequest, status, reason, head, startedAt, finishedAt } = run;
      const counts = new Map((findings.get(id) ?? []).map((row) => [row.severity, row.findings]));
      return [
        html`<a href="/reviews/${id}">${repository} #${pullRequest}</a>`,
        html`${stateMark(status)}${reason === null || reason === "published" ? null : html` <code>${reason}</code>`}`,
        severityCounts(counts),
        commit(head),
        duration(finishedAt === null ? null : finishedAt - startedAt),
        costs.has(id) ? usd(costs.get(id) ?? 0) : "–",
        timeAgo(startedAt, now()),
      ];
    }),
  });
}
