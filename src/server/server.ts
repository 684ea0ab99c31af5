/**
 * The HTTP server: webhooks, health, readiness and metrics. Anybody may ask whether it is healthy and ready; metrics and the
 * details of readiness, which speak of jobs and credentials, are for those who show the token.
 */
import type { Server } from "node:http";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { hash, timingSafeEqual } from "node:crypto";
import { KodiaiError } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import { limitConnections } from "./limit-connections.ts";
import type { Metrics } from "./metrics.ts";
import type { Readiness } from "./readiness.ts";
import type { WebhookHandler } from "./webhook-handler.ts";

export type ServerDeps = {
  readonly door: WebhookHandler;
  readonly readiness: () => Promise<Readiness>;
  readonly metrics: Metrics;
  /** Null: metrics and details are shown to nobody. */
  readonly metricsToken: string | null;
  /** Counts what was refused before it reached the webhook handler. */
  readonly onRejected: (reason: string) => void;
  readonly log: Log;
  readonly version: string;
  /** Milliseconds; only differences count. */
  readonly uptimeMs: () => number;
};

export type RunningServer = {
  readonly port: number;
  /** Takes no new requests, and resolves when those under way have been answered or had some seconds for it. */
  stop(): Promise<void>;
};

/** Headers and body of one request. GitHub gives up after 10 s, so a slower request is not GitHub's. */
const REQUEST_TIMEOUT_MS = 15_000;

/** Node checks both timeouts this often; its default of 30 s would let a slow request live three times as long. */
const TIMEOUT_CHECK_MS = 1_000;

/** A connection costs some 20 KB and a file descriptor. GitHub has a few dozen open at a time, a reverse proxy some hundred. */
const MAX_WAITING_CONNECTIONS = 1_000;

/** A request that is being taken needs milliseconds; whoever is still sending when we stop asks again later. */
const STOP_WITHIN_MS = 3_000;

const JSON_TYPE = { "content-type": "application/json" };

export async function startServer(
  { host, port }: { readonly host: string; readonly port: number },
  deps: ServerDeps,
): Promise<RunningServer> {
  const server = createAdaptorServer({
    fetch: createApp(deps).fetch,
    // It would otherwise put its own Request and Response in the place of everybody's.
    overrideGlobalObjects: false,
    serverOptions: {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: REQUEST_TIMEOUT_MS / 2,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
    // Without options for HTTP/2 the adaptor makes a plain server.
  }) as Server;
  limitConnections(server, {
    maxWaiting: MAX_WAITING_CONNECTIONS,
    onClosed: () => deps.onRejected("too-many-connections"),
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenFailure(error, host, port)));
    server.listen(port, host, resolve);
  });
  // As when there are too many connections: those that are there are served, others come again.
  server.on("error", (error) => deps.log.error("server failed", { error: error.message }));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    stop: () =>
      new Promise((resolve) => {
        // Once it is closed Node looks after no time-outs, so that a connection which sends nothing would keep us for ever.
        const timer = setTimeout(() => server.closeAllConnections(), STOP_WITHIN_MS);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

function createApp({ door, readiness, metrics, metricsToken, log, version, uptimeMs }: ServerDeps) {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.post("/webhooks/github", async ({ env }) => {
    const startedAt = uptimeMs();
    const { status, body } = await door(env.incoming);
    metrics.delivered(status, (uptimeMs() - startedAt) / 1_000);
    // What was left unread must not be taken for the next request.
    const headers = status === 413 || status === 503 ? { ...JSON_TYPE, connection: "close" } : JSON_TYPE;
    return new Response(JSON.stringify(body), { status, headers });
  });
  app.get("/healthz", (context) =>
    context.json({ status: "ok", version, uptimeSeconds: Math.round(uptimeMs() / 1_000) }),
  );
  app.get("/readyz", async (context) => {
    const { isReady, checks } = await readiness();
    const isTrusted = hasToken(context.req.header("authorization"), metricsToken);
    const status = isReady ? "ready" : "not ready";
    return context.json(isTrusted ? { status, checks } : { status }, isReady ? 200 : 503);
  });
  app.get("/metrics", async (context) => {
    if (metricsToken === null) {
      const message = "Metrics are off. Set KODIAI_METRICS_TOKEN to read them.";
      return context.json({ error: "not-found", message }, 404);
    }
    if (!hasToken(context.req.header("authorization"), metricsToken)) {
      const message = "Send KODIAI_METRICS_TOKEN as a bearer token.";
      return context.json({ error: "unauthorized", message }, 401, { "www-authenticate": "Bearer" });
    }
    const { contentType, text } = await metrics.render();
    return context.body(text, 200, { "content-type": contentType });
  });
  app.notFound((context) => context.json({ error: "not-found", message: "There is nothing here." }, 404));
  app.onError((error, context) => {
    log.error("request failed", { path: context.req.path, error: error.message, stack: error.stack });
    return context.json({ error: "defect", message: "The request failed; the log says why." }, 500);
  });
  return app;
}

/** Compared in constant time, over hashes: those of different lengths cannot be. */
function hasToken(authorization: string | undefined, token: string | null): boolean {
  const [, given] = /^Bearer +(.+)$/i.exec(authorization ?? "") ?? [];
  if (token === null || given === undefined) return false;
  const [left, right] = [given, token].map((text) => hash("sha256", text, "buffer"));
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}

function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): KodiaiError {
  const said = error.code === "EADDRINUSE" ? "another program listens there" : error.message;
  return new KodiaiError("config", `the server cannot listen on ${host}:${port}: ${said}`, {
    hint: "Choose another port with --port or PORT, and another address with HOST.",
    cause: error,
  });
}
