/**
 * Octokit with Kodiai's rules: every call has a timeout, goes through a rate limiter, carries its own credential, and fails
 * as a KodiaiError without that credential. Only idempotent requests are retried.
 */
import { createAppAuth } from "@octokit/auth-app";
import { Octokit } from "@octokit/core";
import { paginateRest } from "@octokit/plugin-paginate-rest";
import type { Log } from "../../base/log.ts";
import { outboundFetch } from "../../base/outbound/outbound-fetch.ts";
import {
  hasStatus,
  isOutcomeUnknown,
  isGithubError,
  capWait,
  writingIsOff,
  requireNoErrors,
  toGithubError,
} from "./github-error.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import { toLocalTime } from "./github-time.ts";

const PagingOctokit = Octokit.plugin(paginateRest);

export type GithubClient = InstanceType<typeof PagingOctokit>;

/** How GitHub is reached. */
export type GithubConnection = {
  readonly apiUrl: string;
  readonly userAgent: string;
  readonly now: () => number;
  readonly sleep: (delayMs: number) => Promise<void>;
  /** Writes are refused here, as GitHub refuses those of a token that can only read. Missing: no. */
  readonly isReadOnly?: boolean;
  /** Called when GitHub names a time before which nothing may be sent. */
  readonly onRateLimit: (untilMs: number) => void;
  readonly log: Log;
};

/** The connection of an app. */
export type AppConnection = GithubConnection & { readonly appId: number; readonly privateKeyPem: string };

export type Token = { readonly value: string; readonly mintedAtMs: number };

/** GitHub ends a request after 10 s. A little more time lets its answer arrive. */
const REQUEST_TIMEOUT_MS = 12_000;

/** A new token may not be accepted everywhere at once. After this time a 401 is real. */
const TOKEN_SPREAD_MS = 5_000;

/** Delays before a call with a fresh token is retried. */
const TOKEN_SPREAD_PAUSES_MS = [1_000, 2_000] as const;

/**
 * Idempotent methods. A POST is never retried unless its caller knows the outcome of the first one. The same applies to a
 * call with `request.isAppending`: it adds to a list each time. GraphQL is always a POST. Its calls say what they are in
 * `request.graphql`, "query" or "mutation", and all that Kodiai makes may be repeated.
 */
const IDEMPOTENT = /^(?:GET|HEAD|PATCH|PUT|DELETE) /;

/** Long enough for a new connection after a reset. */
const RETRY_DELAY_MS = 1_000;

const REDIRECTS: readonly number[] = [301, 302, 307, 308];

/** The redirects of a renamed repository, without the one that is an answer: the address of a file. */
const MOVED: readonly number[] = [301, 307, 308];

/** A renamed repository redirects once. More redirects are a loop. */
const MAX_REDIRECTS = 3;

const REVOCATION = "DELETE /installation/token";

/** Revoking a token creates no content and always happens, so it waits for no limit. */
const NO_LIMIT: RateLimiter = { run: (_call, send) => send(), pauseUntil: () => {} };

/** Authenticates as the app itself, with a signed JWT per call. */
export function createAppClient(connection: AppConnection, limiter: RateLimiter): GithubClient {
  const { appId, privateKeyPem } = connection;
  const client = new PagingOctokit({
    ...octokitOptions(connection),
    authStrategy: createAppAuth,
    auth: { appId, privateKey: privateKeyPem },
  });
  client.hook.wrap("request", (request, options) => {
    const route = routeOf(options);
    const isRepeatable = IDEMPOTENT.test(route);
    const call = { route, isGraphql: false, isWrite: false, isRepeatable, credential: "app" } as const;
    return sendLimited({ connection, limiter, call }, async () => request(options));
  });
  return client;
}

/** Authenticates with the token that `token` returns, or makes anonymous calls if it returns null. */
export function createTokenClient(
  connection: GithubConnection,
  limiter: RateLimiter,
  token: () => Promise<Token | null>,
): GithubClient {
  const client = new PagingOctokit(octokitOptions(connection));
  client.hook.wrap("request", async (request, options) => {
    const route = routeOf(options);
    const graphql: unknown = options.request?.["graphql"];
    const isGraphql = graphql !== undefined;
    const isRead = graphql === "query" || options.method === "GET" || options.method === "HEAD";
    const isRepeatable = isGraphql || (IDEMPOTENT.test(route) && options.request?.["isAppending"] !== true);
    const call = { route, isGraphql, isWrite: !isRead, isRepeatable, credential: "installation" } as const;
    for (let attempt = 0; ; attempt += 1) {
      const given = await token();
      if (given !== null) options.headers.authorization = `token ${given.value}`;
      try {
        const used = route === REVOCATION ? NO_LIMIT : limiter;
        return await sendLimited({ connection, limiter: used, call }, async () => {
          if (connection.isReadOnly === true && call.isWrite)
            throw writingIsOff({ route, credential: "installation", nowMs: connection.now() });
          return request(options);
        });
      } catch (error) {
        const pauseMs = TOKEN_SPREAD_PAUSES_MS[attempt];
        const isFresh = given !== null && connection.now() - given.mintedAtMs < TOKEN_SPREAD_MS;
        // A request with a 401 had no effect, so retrying it is safe even for writes.
        if (!hasStatus(error, 401) || !isFresh || pauseMs === undefined) throw error;
        await connection.sleep(pauseMs);
      }
    }
  });
  return client;
}

type LimitedCall = {
  readonly connection: GithubConnection;
  readonly limiter: RateLimiter;
  readonly call: {
    readonly route: string;
    readonly isGraphql: boolean;
    readonly isWrite: boolean;
    readonly isRepeatable: boolean;
    readonly credential: "app" | "installation";
  };
};

type Answered = {
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly data?: unknown;
};

/** Sends a call within the rate limits, and updates them from the answer. */
async function sendLimited<Answer extends Answered>(
  { connection, limiter, call }: LimitedCall,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const pause = (untilMs: number): void => {
    // Search has a separate rate limit that doesn't affect other calls.
    if (call.route.includes("/search/")) return;
    limiter.pauseUntil(untilMs);
    connection.onRateLimit(untilMs);
  };
  const sendOnce = async (): Promise<Answer> => {
    try {
      const answer = await send();
      const nowMs = connection.now();
      if (call.isGraphql) requireNoErrors(answer, { ...call, nowMs });
      // GraphQL has a separate hourly limit. Its errors, which also report shared limits, do pause everything.
      const resetMs = call.isGraphql ? null : usedUpUntil(answer.headers);
      if (resetMs !== null) pause(capWait(toLocalTime(resetMs, answer.headers, nowMs), nowMs));
      return answer;
    } catch (error) {
      const failure = toGithubError(error, { ...call, nowMs: connection.now() });
      if (isGithubError(failure) && failure.retryAtMs !== null) pause(failure.retryAtMs);
      // The cause is left out on purpose, because it contains the request with its headers.
      throw failure;
    }
  };
  return limiter.run(call, async () => {
    try {
      return await sendOnce();
    } catch (error) {
      if (!call.isRepeatable || !isOutcomeUnknown(error)) throw error;
      await connection.sleep(RETRY_DELAY_MS);
      return sendOnce();
    }
  });
}

function usedUpUntil(headers: Answered["headers"]): number | null {
  if (String(headers["x-ratelimit-remaining"]) !== "0") return null;
  const resetMs = Number(headers["x-ratelimit-reset"]) * 1_000;
  return Number.isFinite(resetMs) ? resetMs + 1_000 : null;
}

/** Returns the route as written in the code, or the path without the query for further pages. */
function routeOf({ method, url }: { readonly method: string; readonly url: string }): string {
  return `${method} ${url.replace(/^https?:\/\/[^/]+/, "").replace(/[?#].*$/, "")}`;
}

function octokitOptions({ apiUrl, userAgent, log }: GithubConnection) {
  const quiet = (message: string): void => log.debug("octokit", { message });
  const loud = (message: string): void => log.warn("octokit", { message });
  return {
    baseUrl: apiUrl.replace(/\/+$/, ""),
    userAgent,
    request: { fetch: fetchCompletely, log: { debug: quiet, info: quiet, warn: loud, error: loud } },
    log: { debug: quiet, info: quiet, warn: loud, error: loud },
  };
}

/**
 * Fetches with a timeout and waits for the whole body. Octokit treats a truncated body, or one that isn't JSON, as an empty
 * one, and would report success without the content.
 */
async function fetchCompletely(url: string, init: RequestInit, followed = REDIRECTS): Promise<Response> {
  const limited = { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) };
  const response = await fetchSameOrigin(url, limited, followed);
  const body = await response.text();
  const { status, headers } = response;
  if (status === 200 || status === 201) requireContent(body);
  const hasNoBody = status === 204 || status === 205 || status === 304;
  const whole = new Response(hasNoBody ? null : body, { status, headers });
  // A constructed response has no URL, but pagination needs one.
  return Object.defineProperty(whole, "url", { value: response.url });
}

/** For a call whose answer is a 302: its location must not get the token, not even on the same host. */
export async function fetchLocation(url: string, init: RequestInit): Promise<Response> {
  return fetchCompletely(url, init, MOVED);
}

/**
 * Follows redirects only within the same origin, as for a renamed repository, and keeps the method and the body. Plain
 * `fetch` would follow redirects to any host and turn a POST into a GET.
 */
async function fetchSameOrigin(
  url: string,
  init: RequestInit,
  followed: readonly number[],
): Promise<Response> {
  const home = new URL(url).origin;
  for (let address = url, redirects = 0; ; redirects += 1) {
    const response = await outboundFetch(address, { ...init, redirect: "manual" });
    const location = response.headers.get("location");
    if (!followed.includes(response.status) || location === null) return response;
    await response.body?.cancel();
    const next = new URL(location, address);
    if (next.origin !== home) throw new TypeError(`the answer redirects to another host, ${next.origin}`);
    if (redirects === MAX_REDIRECTS) throw new TypeError("too many redirects");
    address = next.href;
  }
}

/** Every answer that Kodiai needs is an object or a list. */
function requireContent(body: string): void {
  let content: unknown = null;
  try {
    content = JSON.parse(body);
  } catch {
    // Reported below.
  }
  if (typeof content === "object" && content !== null) return;
  throw new TypeError("the answer is not JSON; check that GITHUB_API_URL is the address of the API");
}
