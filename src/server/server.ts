/**
 * The HTTP server: webhooks, health, readiness and metrics. Health and readiness are public. Metrics and readiness details,
 * which mention jobs and credentials, require the token.
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
  readonly handleWebhook: WebhookHandler;
  readonly readiness: () => Promise<Readiness>;
  readonly metrics: Metrics;
  /** Bearer token for metrics and readiness details. If null, both are off. */
  readonly metricsToken: string | null;
  /** Called for each connection that is closed before its request reaches a handler. */
  readonly onRejected: (reason: string) => void;
  readonly log: Log;
  readonly version: string;
  /** Milliseconds; only differences count. */
  readonly uptimeMs: () => number;
};

export type RunningServer = {
  readonly port: number;
  /** Accepts no new requests. Resolves when pending ones are answered or the grace period is over. */
  stop(): Promise<void>;
};

/** For headers and body of one request. GitHub gives up after 10 s, so a slower request isn't GitHub's. */
const REQUEST_TIMEOUT_MS = 15_000;

/** Node checks both timeouts this often. Its default of 30 s would let a slow request last three times as long. */
const TIMEOUT_CHECK_MS = 1_000;

/** A connection takes about 20 KB and a file descriptor. GitHub keeps a few dozen open, a reverse proxy a few hundred. */
const MAX_WAITING_CONNECTIONS = 1_000;

/** Receiving a request takes milliseconds. A slower sender has to retry later. */
const GRACE_PERIOD_MS = 3_000;

const JSON_TYPE = { "content-type": "application/json" };

export async function startServer(
  { host, port }: { readonly host: string; readonly port: number },
  deps: ServerDeps,
): Promise<RunningServer> {
  const server = createAdaptorServer({
    fetch: createApp(deps).fetch,
    // Otherwise the adaptor would replace the global Request and Response.
    overrideGlobalObjects: false,
    serverOptions: {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: REQUEST_TIMEOUT_MS / 2,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
    // Without HTTP/2 options the adaptor creates a plain http.Server.
  }) as Server;
  limitConnections(server, {
    maxWaiting: MAX_WAITING_CONNECTIONS,
    onClosed: () => deps.onRejected("too-many-connections"),
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenFailure(error, host, port)));
    server.listen(port, host, resolve);
  });
  // For example, too many open files. Existing connections are served, and senders retry the others.
  server.on("error", (error) => deps.log.error("server failed", { error: error.message }));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    stop: () =>
      new Promise((resolve) => {
        // After close(), Node no longer enforces timeouts, so an idle connection would block the shutdown forever.
        const timer = setTimeout(() => server.closeAllConnections(), GRACE_PERIOD_MS);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

function createApp({ handleWebhook, readiness, metrics, metricsToken, log, version, uptimeMs }: ServerDeps) {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.post("/webhooks/github", async ({ env }) => {
    const startedAt = uptimeMs();
    const { status, body } = await handleWebhook(env.incoming);
    metrics.delivered(status, (uptimeMs() - startedAt) / 1_000);
    // Unread bytes of the body must not be parsed as the next request.
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
      const message = "Metrics are off. Set KODIAI_METRICS_TOKEN to enable them.";
      return context.json({ error: "not-found", message }, 404);
    }
    if (!hasToken(context.req.header("authorization"), metricsToken)) {
      const message = "Send KODIAI_METRICS_TOKEN as a bearer token.";
      return context.json({ error: "unauthorized", message }, 401, { "www-authenticate": "Bearer" });
    }
    const { contentType, text } = await metrics.render();
    return context.body(text, 200, { "content-type": contentType });
  });
  app.notFound((context) => context.json({ error: "not-found", message: "Not found." }, 404));
  app.onError((error, context) => {
    log.error("request failed", { path: context.req.path, error: error.message, stack: error.stack });
    return context.json({ error: "defect", message: "Internal error. See the server's log." }, 500);
  });
  return app;
}

/** Compares in constant time. Hashes are compared, because timingSafeEqual needs equal lengths. */
function hasToken(authorization: string | undefined, token: string | null): boolean {
  const [, given] = /^Bearer +(.+)$/i.exec(authorization ?? "") ?? [];
  if (token === null || given === undefined) return false;
  const [left, right] = [given, token].map((text) => hash("sha256", text, "buffer"));
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}

function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): KodiaiError {
  const reason = error.code === "EADDRINUSE" ? "the port is already in use" : error.message;
  return new KodiaiError("config", `the server can't listen on ${host}:${port}: ${reason}`, {
    hint: "Choose another port with --port or PORT, or another address with --host or HOST.",
    cause: error,
  });
}
