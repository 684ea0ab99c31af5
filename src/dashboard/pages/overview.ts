/** The first page: what reviews found, how people took it, what it cost, and what is running now. */
import { setTimeout } from "node:timers/promises";
import { DAY_MS } from "../../base/day-ms.ts";
import { type Html, html } from "../components/html.ts";
import { runningList } from "../components/running-list.ts";
import {
  overviewCharts,
  overviewDegradations,
  overviewTables,
  overviewTiles,
} from "../components/overview-parts.ts";
import { choices, emptyState, section, selectField } from "../components/sections.ts";
import type { DashboardPage, PageDeps, PageRequest } from "../page.ts";
import { type Overview, ownerOf, readOverview } from "../read/read-overview.ts";
import { readRunning } from "../read/read-running.ts";
import { readChoice, readId, withQuery } from "../read/read-query.ts";

const DAYS = ["7", "30", "90"] as const;

export const overviewPage: DashboardPage = {
  path: "/",
  needs: "anyone-signed-in",
  async answer(request, deps) {
    const { query, viewer } = request;
    const days = Number(readChoice(query, "days", DAYS) ?? "7");
    const sinceMs = (Math.floor(deps.now() / DAY_MS) - days + 1) * DAY_MS;
    const repositoryId = readId(query, "repository");
    const readable = viewer.repositories;
    // The field has the id of a repository, or the name of an owner.
    const owner = repositoryId === null ? (query.get("repository") ?? "") : "";
    const [live, overview] = await Promise.all([
      readLive(request, deps),
      readOverview({ readable, repositoryId, owner, sinceMs }, deps),
    ]);
    const isEmpty = overview.repositories.length === 0;
    const body = isEmpty
      ? html`${firstRun(request)}${section("Now", live)}`
      : html`${filters(overview, { days, repositoryId })}${overviewTiles(overview)}${overviewCharts(overview)}
          <div class="columns">${section("Now", live)}${overviewDegradations(overview)}</div>
          ${overviewTables(overview, { isLinked: true })}`;
    return { kind: "page", title: "Overview", body };
  },
};

/** The part of the overview that changes, for browsers whose stream a proxy doesn't let through. */
export const livePage: DashboardPage = {
  path: "/live",
  needs: "anyone-signed-in",
  async answer(request, deps) {
    const live = await readLive(request, deps);
    return { kind: "data", contentType: "text/html; charset=utf-8", body: live.toString() };
  },
};

/** The same, sent again whenever it has changed. */
export const liveEventsPage: DashboardPage = {
  path: "/live/events",
  needs: "anyone-signed-in",
  async answer(request, deps) {
    if (openStreams >= MAX_STREAMS) return { kind: "not-found" };
    return { kind: "events", texts: followLive(request, deps) };
  },
};

/** A browser without a stream asks every few seconds instead. */
const MAX_STREAMS = 200;

/** Of this thread or process. */
let openStreams = 0;

/** A step of a review takes longer. */
const LOOK_EVERY_MS = 3_000;

/** Then the browser opens it again. This limits streams whose connection broke unnoticed. */
const STREAM_MS = 4 * 60_000;

async function* followLive(request: PageRequest, deps: PageDeps): AsyncGenerator<string> {
  const endsAt = deps.now() + STREAM_MS;
  let shown: string | null = null;
  openStreams++;
  try {
    while (deps.now() < endsAt) {
      const live = (await readLive(request, deps)).toString();
      // A comment keeps the connection open.
      yield live === shown ? ":\n\n" : `event: live\n${live.replaceAll(/^/gm, "data: ")}\n\n`;
      shown = live;
      // A server that stops doesn't wait for it.
      await setTimeout(LOOK_EVERY_MS, undefined, { ref: false });
    }
  } finally {
    openStreams--;
  }
}

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
  { repositories, owner }: Overview,
  { days, repositoryId }: { readonly days: number; readonly repositoryId: number | null },
): Html {
  const repository = repositoryId === null ? (owner ?? "") : String(repositoryId);
  const owners = [...new Set(repositories.map(({ name }) => ownerOf(name)))].toSorted();
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
        [
          ["", "All repositories"],
          ...(owners.length < 2 ? [] : owners.map((each) => [each, `All of ${each}`] as const)),
          ...repositories.map(({ id, name }) => [String(id), name] as const),
        ],
      )}<button>Show</button>
    </form>
  </div>`;
}
