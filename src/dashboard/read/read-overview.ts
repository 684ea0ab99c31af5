/** The figures of the overview: the operator's report and its figures day by day, for the repositories that a viewer may read. */
import { DAY_MS } from "../../base/day-ms.ts";
import type { Report } from "../../jobs/report/report.ts";
import { readReport } from "../../jobs/report/read-report.ts";
import {
  countReviewsByDay,
  countSeveritiesByDay,
  type DailyCosts,
  type DailyRange,
  type DailyReviews,
  type DailySeverities,
  type DailyTimes,
  readTimesByDay,
  sumCostsByDay,
} from "../../store/repositories/daily-figures.ts";
import { listRepositoryNames, type ReviewedRepository } from "../../store/repositories/listed-reviews.ts";
import type { ReadableRepositories } from "../../store/repositories/readable.ts";
import type { ReportRange } from "../../store/repositories/report.ts";
import type { PageDeps } from "../page.ts";

export type Overview = {
  readonly repositories: readonly ReviewedRepository[];
  /** Days since 1970, without gaps, the last one today. */
  readonly days: readonly number[];
  readonly report: Report;
  readonly reviews: readonly DailyReviews[];
  readonly times: readonly DailyTimes[];
  readonly severities: readonly DailySeverities[];
  readonly costs: readonly DailyCosts[];
};

export type OverviewRequest = {
  readonly readable: ReadableRepositories;
  /** Null for all. */
  readonly repositoryId: number | null;
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
};

/** A chart of more days shows none of them. */
const MAX_DAYS = 400;

export async function readOverview(
  { readable, repositoryId, sinceMs }: OverviewRequest,
  { database, telemetry, now }: Pick<PageDeps, "database" | "telemetry" | "now">,
): Promise<Overview> {
  const today = Math.floor(now() / DAY_MS);
  const first = Math.max(Math.floor(sinceMs / DAY_MS), today - MAX_DAYS);
  const range: DailyRange = { sinceMs, readable, repositoryId };
  const repositories = await listRepositoryNames(readable, database);
  const reportRange: ReportRange = {
    sinceMs,
    repository: null,
    ...(await restrict(repositories, { readable, repositoryId }, database)),
  };
  return {
    repositories,
    days: Array.from({ length: today - first + 1 }, (_, index) => first + index),
    report: await readReport(reportRange, { database, telemetry, now }),
    reviews: await countReviewsByDay(range, database),
    times: await readTimesByDay(range, database),
    severities: await countSeveritiesByDay(range, database),
    costs: await sumCostsByDay(range, database),
  };
}

/**
 * Statistics know a repository by its name only, and repositories of two hosts, or one after the other, can have the same name. A name
 * that also belongs to a repository outside the choice is left out.
 */
async function restrict(
  repositories: readonly ReviewedRepository[],
  { readable, repositoryId }: Pick<OverviewRequest, "readable" | "repositoryId">,
  database: PageDeps["database"],
): Promise<Pick<ReportRange, "readable">> {
  if (readable === "all" && repositoryId === null) return {};
  const chosen = repositories.filter(({ id }) => repositoryId === null || id === repositoryId);
  const ids = new Set(chosen.map(({ id }) => id));
  const all = readable === "all" ? repositories : await listRepositoryNames("all", database);
  const others = new Set(all.flatMap(({ id, name }) => (ids.has(id) ? [] : [name])));
  const names = chosen.map(({ name }) => name).filter((name) => !others.has(name));
  return { readable: { ids: [...ids], names } };
}
