/**
 * The HTTP server: webhooks, health, readiness and metrics. Health and readiness are public. Metrics and readiness details,
 * which mention jobs and credentials, require the token.
 *
 * It uses Node's server directly: a framework nearly doubled the CPU time of a server that only checks signatures.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { hash, timingSafeEqual } from "node:crypto";
import { KodiaiError } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import { limitConnections } from "./limit-connections.ts";
import type { Metrics } from "./metrics.ts";
import type { Readiness } from "./readiness.ts";
import type { WebhookHandler } from "./webhook-handler.ts";

export type ServerDeps = {
  /** The path of the endpoint for webhooks. */
  readonly webhookPath: string;
  readonly handleWebhook: WebhookHandler;
  readonly readiness: () => Promise<Readiness>;
  readonly metrics: Metrics;
  /** Bearer token for metrics and readiness details. If null, both are off. */
  readonly metricsToken: string | null;
  /** Called for each connection that is closed before its request reaches a handler. */
  readonly onRejected: (reason: string) => void;
  /** Answers requests for other paths than the server's own. False: it sent nothing. Never rejects. Null: there is none. */
  readonly servePages: ((incoming: IncomingMessage, response: ServerResponse) => Promise<boolean>) | null;
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

export async function startServer(
  { host, port }: { readonly host: string; readonly port: number },
  deps: ServerDeps,
): Promise<RunningServer> {
  const server = createServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: REQUEST_TIMEOUT_MS / 2,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
    (incoming, response) => void answer(incoming, response, deps),
  );
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

type Answer = {
  readonly status: number;
  /** Sent as JSON, or as text of the given type. */
  readonly body: object | string;
  readonly headers?: Readonly<Record<string, string>>;
};

type Route = (incoming: IncomingMessage, deps: ServerDeps) => Answer | Promise<Answer>;

/** By method and path. HEAD is a GET whose body Node leaves out. */
const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ["GET /healthz", answerHealth],
  ["GET /readyz", answerReadiness],
  ["GET /metrics", answerMetrics],
]);

const NOT_FOUND: Answer = { status: 404, body: { error: "not-found", message: "Not found." } };

const DEFECT: Answer = {
  status: 500,
  body: { error: "defect", message: "Internal error. See the server's log." },
};

/** Never rejects. */
async function answer(incoming: IncomingMessage, response: ServerResponse, deps: ServerDeps): Promise<void> {
  const { method = "", url = "" } = incoming;
  const [path = ""] = url.split("?", 1);
  const isRead = method === "GET" || method === "HEAD";
  const isWebhook = method === "POST" && path === deps.webhookPath;
  const route = isWebhook ? answerWebhook : ROUTES.get(`${isRead ? "GET" : method} ${path}`);
  if (route === undefined && (await deps.servePages?.(incoming, response)) === true) return;
  let answered = NOT_FOUND;
  try {
    if (route !== undefined) answered = await route(incoming, deps);
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    deps.log.error("request failed", { path, error: message, stack });
    answered = DEFECT;
  }
  const { status, body, headers = {} } = answered;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    // Unread bytes of the body must not be parsed as the next request.
    ...(!isRead && !incoming.readableEnded && { connection: "close" }),
    ...headers,
  });
  response.end(text);
}

async function answerWebhook(
  incoming: IncomingMessage,
  { handleWebhook, metrics, uptimeMs }: ServerDeps,
): Promise<Answer> {
  const startedAt = uptimeMs();
  const answered = await handleWebhook(incoming);
  metrics.delivered(answered.status, (uptimeMs() - startedAt) / 1_000);
  return answered;
}

function answerHealth(_: IncomingMessage, { version, uptimeMs }: ServerDeps): Answer {
  return { status: 200, body: { status: "ok", version, uptimeSeconds: Math.round(uptimeMs() / 1_000) } };
}

async function answerReadiness(
  { headers }: IncomingMessage,
  { readiness, metricsToken }: ServerDeps,
): Promise<Answer> {
  const { isReady, checks } = await readiness();
  const status = isReady ? "ready" : "not ready";
  const isTrusted = hasToken(headers.authorization, metricsToken);
  return { status: isReady ? 200 : 503, body: isTrusted ? { status, checks } : { status } };
}

async function answerMetrics(
  { headers }: IncomingMessage,
  { metrics, metricsToken }: ServerDeps,
): Promise<Answer> {
  if (metricsToken === null) {
    const message = "Metrics are off. Set KODIAI_METRICS_TOKEN to enable them.";
    return { status: 404, body: { error: "not-found", message } };
  }
  if (!hasToken(headers.authorization, metricsToken)) {
    const message = "Send KODIAI_METRICS_TOKEN as a bearer token.";
    const body = { error: "unauthorized", message };
    return { status: 401, body, headers: { "www-authenticate": "Bearer" } };
  }
  const { contentType, text } = await metrics.render();
  return { status: 200, body: text, headers: { "content-type": contentType } };
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
