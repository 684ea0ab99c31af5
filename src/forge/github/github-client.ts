/**
 * Octokit as we use it: every call is timed, passes the gate of its limits, carries the credential it was made for, and
 * fails as a KodiaiError without any of it. Only what is the same when done twice is sent again.
 */
import { createAppAuth } from "@octokit/auth-app";
import { Octokit } from "@octokit/core";
import { paginateRest } from "@octokit/plugin-paginate-rest";
import type { Log } from "../../base/log.ts";
import { hasStatus, isFateUnknown, isGithubError, notTooLate, toGithubError } from "./github-error.ts";
import type { RateGate } from "./rate-gate.ts";
import { toOurTime } from "./github-time.ts";

const PagingOctokit = Octokit.plugin(paginateRest);

export type GithubClient = InstanceType<typeof PagingOctokit>;

/** How GitHub is reached. */
export type GithubConnection = {
  readonly apiUrl: string;
  readonly userAgent: string;
  readonly now: () => number;
  readonly sleep: (delayMs: number) => Promise<void>;
  /** Told whenever GitHub names a time before which nothing may be sent. */
  readonly onRateLimit: (untilMs: number) => void;
  readonly log: Log;
};

/** And as which app. */
export type AppConnection = GithubConnection & { readonly appId: number; readonly privateKeyPem: string };

export type Token = { readonly value: string; readonly mintedAtMs: number };

/** GitHub ends a request after 10 s; a little more leaves room for its answer to arrive. */
const REQUEST_TIMEOUT_MS = 12_000;

/** A token is not known everywhere in the moment it is minted; after this long a 401 means what it says. */
const TOKEN_SPREAD_MS = 5_000;

/** Pauses before a call with a fresh token is made again. */
const TOKEN_SPREAD_PAUSES_MS = [1_000, 2_000] as const;

/** Doing one of these twice is doing it once. A POST is never sent again unless its sender knows what became of it. */
const REPEATABLE = /^(?:GET|HEAD|PATCH|PUT|DELETE) /;

/** Long enough for a connection that was reset to be another one. */
const REPEAT_PAUSE_MS = 1_000;

/** A renamed repository redirects once; more is a circle. */
const MAX_REDIRECTS = 3;

const REVOCATION = "DELETE /installation/token";

/** Giving a token back is no content, and is done in any case: it waits for no limit. */
const OPEN_GATE: RateGate = { pass: (_call, send) => send(), holdUntil: () => {} };

/** Speaks as the app itself, with a signed assertion for each call. */
export function createAppClient(connection: AppConnection, gate: RateGate): GithubClient {
  const { appId, privateKeyPem } = connection;
  const client = new PagingOctokit({
    ...octokitOptions(connection),
    authStrategy: createAppAuth,
    auth: { appId, privateKey: privateKeyPem },
  });
  client.hook.wrap("request", (request, options) => {
    const call = { route: routeOf(options), isWrite: false, credential: "app" } as const;
    return guarded({ connection, gate, call }, async () => request(options));
  });
  return client;
}

/** Speaks with the token that `token` gives; as anybody when it gives none. */
export function createTokenClient(
  connection: GithubConnection,
  gate: RateGate,
  token: () => Promise<Token | null>,
): GithubClient {
  const client = new PagingOctokit(octokitOptions(connection));
  client.hook.wrap("request", async (request, options) => {
    const route = routeOf(options);
    const isWrite = options.method !== "GET" && options.method !== "HEAD";
    const call = { route, isWrite, credential: "installation" } as const;
    for (let attempt = 0; ; attempt += 1) {
      const given = await token();
      if (given !== null) options.headers.authorization = `token ${given.value}`;
      try {
        const passed = route === REVOCATION ? OPEN_GATE : gate;
        return await guarded({ connection, gate: passed, call }, async () => request(options));
      } catch (error) {
        const pauseMs = TOKEN_SPREAD_PAUSES_MS[attempt];
        const isFresh = given !== null && connection.now() - given.mintedAtMs < TOKEN_SPREAD_MS;
        // A 401 was not carried out, so that making the call again is safe for writes too.
        if (!hasStatus(error, 401) || !isFresh || pauseMs === undefined) throw error;
        await connection.sleep(pauseMs);
      }
    }
  });
  return client;
}

type Guarded = {
  readonly connection: GithubConnection;
  readonly gate: RateGate;
  readonly call: {
    readonly route: string;
    readonly isWrite: boolean;
    readonly credential: "app" | "installation";
  };
};

type Answered = { readonly headers: Readonly<Record<string, string | number | undefined>> };

/** Sends within the limits, and notes what the answer says of them. */
async function guarded<Answer extends Answered>(
  { connection, gate, call }: Guarded,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const hold = (untilMs: number): void => {
    // Searching has a limit of its own, which holds back nothing else.
    if (call.route.includes("/search/")) return;
    gate.holdUntil(untilMs);
    connection.onRateLimit(untilMs);
  };
  const sendOnce = async (): Promise<Answer> => {
    try {
      const answer = await send();
      const nowMs = connection.now();
      const resetMs = usedUpUntil(answer.headers);
      if (resetMs !== null) hold(notTooLate(toOurTime(resetMs, answer.headers, nowMs), nowMs));
      return answer;
    } catch (error) {
      const failure = toGithubError(error, { ...call, nowMs: connection.now() });
      if (isGithubError(failure) && failure.retryAtMs !== null) hold(failure.retryAtMs);
      // The cause is left out on purpose: it holds the request with its headers.
      throw failure;
    }
  };
  return gate.pass(call, async () => {
    try {
      return await sendOnce();
    } catch (error) {
      if (!REPEATABLE.test(call.route) || !isFateUnknown(error)) throw error;
      await connection.sleep(REPEAT_PAUSE_MS);
      return sendOnce();
    }
  });
}

function usedUpUntil(headers: Answered["headers"]): number | null {
  if (String(headers["x-ratelimit-remaining"]) !== "0") return null;
  const resetMs = Number(headers["x-ratelimit-reset"]) * 1_000;
  return Number.isFinite(resetMs) ? resetMs + 1_000 : null;
}

/** The route as it stands in the code; for a further page its path, without the query. */
function routeOf({ method, url }: { readonly method: string; readonly url: string }): string {
  return `${method} ${url.replace(/^https?:\/\/[^/]+/, "").replace(/[?#].*$/, "")}`;
}

function octokitOptions({ apiUrl, userAgent, log }: GithubConnection) {
  const quiet = (message: string): void => log.debug("octokit", { message });
  const loud = (message: string): void => log.warn("octokit", { message });
  return {
    baseUrl: apiUrl.replace(/\/+$/, ""),
    userAgent,
    request: { fetch: wholeAnswer, log: { debug: quiet, info: quiet, warn: loud, error: loud } },
    log: { debug: quiet, info: quiet, warn: loud, error: loud },
  };
}

/**
 * Fetches with a time limit and waits for the whole body. Octokit would take a body that broke off, or that is no JSON, for
 * an empty one, and a success without its content would look like a success.
 */
async function wholeAnswer(url: string, init: RequestInit): Promise<Response> {
  const response = await fetchAtHome(url, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  const body = await response.text();
  const { status, headers } = response;
  if (status === 200 || status === 201) requireContent(body);
  const hasNoBody = status === 204 || status === 205 || status === 304;
  const whole = new Response(hasNoBody ? null : body, { status, headers });
  // A response that is made by hand has no address, which the pages of a list are found by.
  return Object.defineProperty(whole, "url", { value: response.url });
}

/**
 * Follows a redirect only to the host that was asked, where the name of a repository may have changed, and sends there what
 * was to be sent: by itself fetch would go anywhere, and make a GET of a POST.
 */
async function fetchAtHome(url: string, init: RequestInit): Promise<Response> {
  const home = new URL(url).origin;
  for (let address = url, redirects = 0; ; redirects += 1) {
    const response = await fetch(address, { ...init, redirect: "manual" });
    const location = response.headers.get("location");
    if (![301, 302, 307, 308].includes(response.status) || location === null) return response;
    await response.body?.cancel();
    const next = new URL(location, address);
    if (next.origin !== home) throw new TypeError(`the answer leads to another host, ${next.origin}`);
    if (redirects === MAX_REDIRECTS) throw new TypeError("the answer leads on and on");
    address = next.href;
  }
}

/** All that we ask for is answered with objects and lists. */
function requireContent(body: string): void {
  let content: unknown = null;
  try {
    content = JSON.parse(body);
  } catch {
    // Said below.
  }
  if (typeof content === "object" && content !== null) return;
  throw new TypeError("the answer is not JSON; is GITHUB_API_URL the address of the API?");
}
