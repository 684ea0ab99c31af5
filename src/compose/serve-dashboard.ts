/** Runs the dashboard as a process of its own, next to servers and workers on the same database. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { KodiaiError } from "../base/errors.ts";
import type { DashboardOptions, Running } from "../cli/app.ts";
import { readDashboardSettings } from "../config/dashboard-settings.ts";
import { readStoreSettings } from "../config/server-settings.ts";
import { createLinkKey, linkUrl } from "../dashboard/access/local-link.ts";
import { originOfListener, parseOrigin } from "../dashboard/access/origin.ts";
import type { Dashboard } from "../dashboard/exchange.ts";
import {
  BAD_REQUEST,
  readDashboardRequest,
  sendDashboardAnswer,
} from "../dashboard/serving/http-exchange.ts";
import type { CheckLine } from "../doctor/check.ts";
import type { AppSources } from "./app.ts";
import { openDashboard } from "./dashboard.ts";

/** For headers and the form of one request. */
const REQUEST_TIMEOUT_MS = 15_000;

/** Pages are made in milliseconds. A download may be cut. */
const GRACE_PERIOD_MS = 3_000;

export async function serveDashboard(
  { host, port, isLocal }: DashboardOptions,
  sources: AppSources,
  examine: () => Promise<readonly CheckLine[]>,
): Promise<Running> {
  const { databaseUrl, logLevel } = readStoreSettings(sources.settings);
  const settings = readDashboardSettings(sources.settings);
  const { admins, apiUrl, oauth } = settings;
  const url = isLocal ? null : settings.url;
  if (url === null && originOfListener(host, port) === null) throw withoutUrl(host);
  let dashboard: Dashboard | null = null;
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS },
    (incoming, response) => void respond(incoming, response, dashboard),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(listenFailure(error, host, port)));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const boundPort = typeof address === "object" && address !== null ? address.port : port;
  const origin = parseOrigin(url ?? originOfListener(host, boundPort) ?? "");
  const link = origin.isLoopback ? createLinkKey(Date.now()) : null;
  const opened = await openDashboard(
    {
      databaseUrl,
      origin: origin.origin,
      admins,
      apiUrl,
      oauth,
      link,
      // This process has used the proxy since its start.
      proxyVariables: {},
      version: sources.version,
      logLevel,
      logFormat: sources.stderr.isTerminal ? "text" : "json",
    },
    examine,
  ).catch((error: unknown) => {
    server.close();
    throw error;
  });
  dashboard = opened.dashboard;
  const signIn = link === null ? "" : `; sign in once within 15 minutes: ${linkUrl(link, origin)}`;
  return {
    description: `listening on port ${boundPort}, dashboard at ${origin.origin}${signIn}`,
    async stop() {
      const timer = setTimeout(() => server.closeAllConnections(), GRACE_PERIOD_MS);
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeIdleConnections();
      });
      clearTimeout(timer);
      await opened.close();
    },
  };
}

/** Never rejects. */
async function respond(
  incoming: IncomingMessage,
  response: ServerResponse,
  dashboard: Dashboard | null,
): Promise<void> {
  try {
    const request = await readDashboardRequest(incoming);
    const answer = request === null ? BAD_REQUEST : await dashboard?.(request);
    await sendDashboardAnswer(incoming, response, answer ?? NOT_FOUND);
  } catch {
    // The client went away before its form was complete.
    response.destroy();
  }
}

const NOT_FOUND = {
  status: 404,
  headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  body: "Not found.\n",
};

function withoutUrl(host: string): KodiaiError {
  return new KodiaiError(
    "config",
    `the dashboard can't listen on ${host} without an address that people open`,
    {
      hint: "Set KODIAI_DASHBOARD_URL to it, such as https://kodiai.example.org, or listen on 127.0.0.1.",
    },
  );
}

function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): KodiaiError {
  const reason = error.code === "EADDRINUSE" ? "the port is already in use" : error.message;
  return new KodiaiError("config", `the dashboard can't listen on ${host}:${port}: ${reason}`, {
    hint: "Choose another port with --port, or another address with --host.",
    cause: error,
  });
}
