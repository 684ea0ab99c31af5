/** Composes the dashboard from its settings: for the thread of a server, and for a process of its own. */
import { createLog, type Log } from "../base/log.ts";
import { DASHBOARD_ACTIONS } from "../dashboard/actions/all-actions.ts";
import { openLink } from "../dashboard/access/local-link.ts";
import { parseOrigin } from "../dashboard/access/origin.ts";
import type { Dashboard } from "../dashboard/exchange.ts";
import type { PageDeps } from "../dashboard/page.ts";
import { DASHBOARD_PAGES } from "../dashboard/pages/all-pages.ts";
import { createDashboard } from "../dashboard/serve-dashboard.ts";
import type { DashboardThreadOptions } from "../dashboard/serving/dashboard-thread.ts";
import { hostOfApi } from "../forge/github/api-host.ts";
import { createGithubLinks } from "../forge/github/github-links.ts";
import { createGithubPeople } from "../forge/github/github-people.ts";
import { messageOf } from "../base/errors.ts";
import { type Queue, QUEUE_DEFAULTS } from "../queue/queue.ts";
import { openStore, type Store } from "../store/store.ts";

/** A few pages at a time. Webhooks and jobs have connections of their own. */
const CONNECTIONS = 4;

/** A page that takes longer is refused, so that it doesn't slow the others and the server's own work. */
const STATEMENT_TIMEOUT_MS = 10_000;

export type OpenedDashboard = {
  readonly dashboard: Dashboard;
  readonly close: () => Promise<void>;
};

export async function openDashboard(
  options: DashboardThreadOptions,
  examine: PageDeps["examine"],
): Promise<OpenedDashboard> {
  const { databaseUrl, admins, apiUrl, oauth, link, version, logLevel, logFormat } = options;
  const log = createLog({
    level: logLevel,
    format: logFormat,
    write: (line) => process.stderr.write(line),
    now: Date.now,
  });
  const limits = { connections: CONNECTIONS, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  const store = await openStore(databaseUrl, { mustExist: true, ...limits });
  const { database, telemetry, now } = store;
  let queue: Queue | null = null;
  try {
    const opened = (queue = await openQueue(store, log));
    const userAgent = `kodiai/${version}`;
    const signIn =
      oauth === null
        ? null
        : {
            people: createGithubPeople({ ...oauth, apiUrl, userAgent, now, log }),
            secret: oauth.clientSecret,
          };
    const dashboard = createDashboard({
      database,
      telemetry,
      queue: { ...opened, stats: shareStats(opened, now) },
      now,
      links: createGithubLinks(`${new URL(apiUrl).protocol}//${hostOfApi(apiUrl)}`),
      examine,
      pages: DASHBOARD_PAGES,
      actions: DASHBOARD_ACTIONS,
      origin: parseOrigin(options.origin),
      signIn,
      admins,
      link: link === null ? null : openLink(link, now),
      log,
    });
    return {
      dashboard,
      async close() {
        await opened.close();
        await store.close();
      },
    };
  } catch (error) {
    await queue?.close();
    await store.close();
    throw error;
  }
}

/** Counting reads every open job. Fifty people who reload share a count of the last second. */
const STATS_MS = 1_000;

function shareStats(queue: Queue, now: () => number): Queue["stats"] {
  let shared: { readonly untilMs: number; readonly stats: ReturnType<Queue["stats"]> } | null = null;
  return () => {
    const at = now();
    if (shared === null || at >= shared.untilMs) {
      const stats = queue.stats();
      shared = { untilMs: at + STATS_MS, stats };
      // A failure isn't shared any longer than those who wait for it.
      stats.catch(() => (shared = null));
    }
    return shared.stats;
  };
}

async function openQueue({ database, now, listen }: Store, log: Log): Promise<Queue> {
  if (database.dialect.name === "sqlite") {
    const { createSqliteQueue } = await import("../queue/sqlite/sqlite-queue.ts");
    return createSqliteQueue(database, QUEUE_DEFAULTS, now);
  }
  const { openPostgresQueue } = await import("../queue/postgres/postgres-queue.ts");
  const onError = (error: unknown): void => log.warn("queue failed", { error: messageOf(error) });
  return openPostgresQueue({ database, options: QUEUE_DEFAULTS, now, listen, onError });
}
