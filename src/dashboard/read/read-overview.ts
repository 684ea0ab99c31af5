/** The figures of the overview: the operator's report and its figures day by day, for the repositories that a viewer may read. */
import { DAY_MS } from "../../base/day-ms.ts";
import { addUpDays } from "../../jobs/report/add-up-days.ts";
import { findingFiguresOf } from "../../jobs/report/finding-figures.ts";
import { readTotals, summarize } from "../../jobs/report/read-report.ts";
import type { DayFigures, FindingFigures, ReportSummary } from "../../jobs/report/report.ts";
import { addUpFindings, readFindingCounts } from "../../store/repositories/daily-findings.ts";
import { type DailyTokens, readDailyTokens } from "../../store/repositories/daily-statistics.ts";
import { type DailyCosts, readDailyCosts } from "../../store/repositories/daily-totals.ts";
import { listRepositoryNames, type ReviewedRepository } from "../../store/repositories/listed-reviews.ts";
import type { ReadableRepositories } from "../../store/repositories/readable.ts";
import type { ReportRange } from "../../store/repositories/report.ts";
import type { PageDeps } from "../page.ts";

export type Overview = {
  readonly repositories: readonly ReviewedRepository[];
  /** Null for all. */
  readonly owner: string | null;
  /** Without gaps, the last one today. */
  readonly days: readonly OverviewDay[];
  readonly report: ReportSummary;
  readonly costs: readonly DailyCosts[];
  readonly tokens: readonly DailyTokens[];
};

/** `day` counts from 1970. */
type OverviewDay = DayFigures & { readonly day: number };

export type OverviewRequest = {
  readonly readable: ReadableRepositories;
  /** Null for all. */
  readonly repositoryId: number | null;
  /** Only repositories of this owner, which are those of one installation. Omitted, or no owner's name: all. */
  readonly owner?: string;
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
};

/** A chart of more days shows none of them. */
const MAX_DAYS = 400;

export async function readOverview(
  request: OverviewRequest,
  { database, telemetry, now }: Pick<PageDeps, "database" | "telemetry" | "now">,
): Promise<Overview> {
  const { readable, sinceMs } = request;
  const today = Math.floor(now() / DAY_MS);
  const first = Math.max(Math.floor(sinceMs / DAY_MS), today - MAX_DAYS);
  const repositories = await listRepositoryNames(readable, database);
  const named = repositories.find(({ name }) => ownerOf(name) === request.owner);
  const owner = named === undefined ? null : ownerOf(named.name);
  const choice = { readable, owner, repositoryId: request.repositoryId };
  const range = { sinceMs, repository: null, ...(await restrict(repositories, choice, database)) };
  // PostgreSQL answers them side by side.
  const [totals, costs, tokens] = await Promise.all([
    readTotals(range, { database, telemetry }),
    readDailyCosts({ sinceMs, readable: range.ids ?? "all" }, database),
    readDailyTokens(range, telemetry),
  ]);
  const byDay = Map.groupBy(totals.days, ({ day }) => day);
  return {
    repositories,
    owner,
    days: Array.from({ length: today - first + 1 }, (_, index) => ({
      day: first + index,
      ...addUpDays(byDay.get(first + index) ?? []),
    })),
    report: summarize(totals, range, now()),
    costs,
    tokens,
  };
}

export function ownerOf(name: string): string {
  return name.slice(0, name.indexOf("/"));
}

/** The outcomes of the findings of all repositories, or of one. */
export async function readOutcomes(
  { repositoryId, sinceMs }: Pick<OverviewRequest, "repositoryId" | "sinceMs">,
  { database }: Pick<PageDeps, "database">,
): Promise<FindingFigures> {
  const readable = repositoryId === null ? "all" : [repositoryId];
  const counts = await readFindingCounts({ sinceMs, readable }, database);
  return findingFiguresOf(addUpFindings(counts.values()));
}

/**
 * Statistics know a repository by its name only, and repositories of two hosts, or one after the other, can have the same name. A name
 * that also belongs to a repository outside the choice is left out.
 */
async function restrict(
  repositories: readonly ReviewedRepository[],
  {
    readable,
    owner,
    repositoryId,
  }: Pick<OverviewRequest, "readable" | "repositoryId"> & Pick<Overview, "owner">,
  database: PageDeps["database"],
): Promise<Pick<ReportRange, "ids" | "names">> {
  if (readable === "all" && owner === null && repositoryId === null) return {};
  const chosen = repositories.filter(
    ({ id, name }) =>
      (repositoryId === null || id === repositoryId) && (owner === null || ownerOf(name) === owner),
  );
  const ids = new Set(chosen.map(({ id }) => id));
  const all = readable === "all" ? repositories : await listRepositoryNames("all", database);
  const others = new Set(all.flatMap(({ id, name }) => (ids.has(id) ? [] : [name])));
  return { ids: [...ids], names: chosen.map(({ name }) => name).filter((name) => !others.has(name)) };
}
