/**
 * Turns failed calls to GitHub into KodiaiErrors. They contain nothing of the request, because octokit's errors include
 * headers, and a credential must never be in an error, a log or a cause.
 */
import { RequestError } from "@octokit/request-error";
import { KodiaiError, messageOf, type ErrorCode } from "../../base/errors.ts";
import { proxyFailureOf } from "../../base/outbound/outbound-fetch.ts";
import { maskCredentials } from "../../base/secrets/mask-credentials.ts";
import { toLocalTime } from "./github-time.ts";

/** Details of a failed call for the publisher. */
export type FailedCall = {
  /** Null if no complete answer arrived. */
  readonly status: number | null;
  /** GitHub's own explanation, masked. */
  readonly words: string;
  /** The request may have taken effect: there was no answer, or a server error that can occur after the effect. */
  readonly isOutcomeUnknown: boolean;
};

export type GithubError = KodiaiError & { readonly call: FailedCall };

export type CallContext = {
  /** The route as written in the code, without values. */
  readonly route: string;
  readonly credential: "app" | "installation" | "none";
  readonly nowMs: number;
};

/** GitHub's docs require at least a minute for a secondary rate limit without a time. */
const SECONDARY_LIMIT_WAIT_MS = 60_000;

/** GitHub sends the reset time in whole seconds, so one second is added. */
const RESET_MARGIN_MS = 1_000;

/** A minimum wait, so that clock differences can't cause retries without a pause. */
const MIN_WAIT_MS = 1_000;

/** GitHub's longest window is an hour. A wrong clock or an odd header must not delay a job for days. */
const MAX_WAIT_MS = 65 * 60_000;

const MAX_WORDS_CHARS = 500;

export function isGithubError(error: unknown): error is GithubError {
  return error instanceof KodiaiError && "call" in error;
}

/** Whether the call failed with this status. */
export function hasStatus(error: unknown, status: number): error is GithubError {
  return isGithubError(error) && error.call.status === status;
}

/** Null if what the call is about doesn't exist, or no longer. */
export async function unlessGone<Value>(call: () => Promise<Value>): Promise<Value | null> {
  try {
    return await call();
  } catch (error) {
    if (hasStatus(error, 404) || hasStatus(error, 410)) return null;
    throw error;
  }
}

export function isOutcomeUnknown(error: unknown): error is GithubError {
  return isGithubError(error) && error.call.isOutcomeUnknown;
}

/** Converts any error of a call. A KodiaiError stays unchanged. */
export function toGithubError(error: unknown, context: CallContext): KodiaiError {
  if (error instanceof KodiaiError) return error;
  const response = error instanceof RequestError ? error.response : undefined;
  if (response === undefined) return noAnswer(error, context);
  const words = sentenceOf(response.data);
  return failedAnswer({ status: response.status, headers: response.headers, words }, context);
}

/** The statuses that REST would answer with. Other types are invalid requests. */
const GRAPHQL_STATUSES: Readonly<Record<string, number>> = {
  NOT_FOUND: 404,
  FORBIDDEN: 403,
  INSUFFICIENT_SCOPES: 403,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  SERVICE_UNAVAILABLE: 503,
};

/** An answer of GraphQL reports errors with the status of a success. Throws them as the errors that REST would have. */
export function requireNoErrors(
  { data, headers }: { readonly data?: unknown; readonly headers: Answer["headers"] },
  context: CallContext,
): void {
  const errors: unknown = typeof data === "object" && data !== null && "errors" in data ? data.errors : [];
  if (!Array.isArray(errors) || errors.length === 0) return;
  const [first]: unknown[] = errors;
  const type = typeof first === "object" && first !== null && "type" in first ? String(first.type) : "";
  const words = errors.map(sentenceOf).join("; ");
  const status = GRAPHQL_STATUSES[type] ?? untypedStatus(words);
  // GitHub also refuses a query that costs more than what is left.
  const spent = type === "RATE_LIMITED" ? { "x-ratelimit-remaining": "0" } : {};
  throw failedAnswer({ status, headers: { ...headers, ...spent }, words }, context);
}

/** Errors about limits and timeouts have no type. */
function untypedStatus(words: string): number {
  if (/rate limit/i.test(words)) return 403;
  return /something went wrong|timeout|timed out/i.test(words) ? 502 : 422;
}

function failedAnswer(given: Answer, context: CallContext): GithubError {
  const words = maskCredentials(given.words).slice(0, MAX_WORDS_CHARS);
  const answer = { ...given, words };
  const retryAtMs = rateLimitEnd(answer, context.nowMs);
  const meaning = retryAtMs === null ? meaningOf(answer, context) : rateLimited(retryAtMs);
  const call = { status: answer.status, words, isOutcomeUnknown: answer.status >= 500 };
  const message = `GitHub answered ${answer.status} to ${context.route}: ${words || "no explanation"}`;
  return create(meaning, message, call);
}

/** The answer to a write with a token that can only read. */
export function writingIsOff(context: CallContext): GithubError {
  const words = "Resource not accessible by integration (writing is turned off)";
  return failedAnswer({ status: 403, headers: {}, words }, context);
}

/** Marks an error as happened before sending: creating the token failed, so the request itself was never sent. */
export function asNotSent(error: unknown): unknown {
  if (!isGithubError(error)) return error;
  return create(meaningOfError(error), error.message, {
    ...error.call,
    status: null,
    isOutcomeUnknown: false,
  });
}

/** The same error with another hint. */
export function withHint(error: GithubError, hint: string): GithubError {
  return create({ ...meaningOfError(error), hint }, error.message, error.call);
}

function meaningOfError({ code, hint, retryable, retryAtMs }: GithubError): Meaning {
  return { code, hint, retryable, ...(retryAtMs === null ? {} : { retryAtMs }) };
}

/** GitHub rejected the call because of a state that passes by itself. */
export function retryAt(error: GithubError, untilMs: number, hint: string): GithubError {
  const meaning: Meaning = { code: error.code, hint, retryable: true, retryAtMs: untilMs };
  return create(meaning, error.message, error.call);
}

/** The rate limiter stopped the call before it was sent. */
export function rateLimitReached(untilMs: number, route: string): GithubError {
  const call = { status: null, words: "", isOutcomeUnknown: false };
  return create(rateLimited(untilMs), `${route} was postponed because of GitHub's rate limits`, call);
}

/** The result of a request may still appear, so the same call must be repeated later. */
export function outcomeUnknown(untilMs: number, what: string): GithubError {
  const hint = "No action is needed. Kodiai checks again later.";
  const meaning: Meaning = { code: "network", hint, retryable: true, retryAtMs: untilMs };
  const call = { status: null, words: "", isOutcomeUnknown: true };
  return create(meaning, `it's not yet known whether ${what} was written`, call);
}

type Meaning = {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly retryable: boolean;
  readonly retryAtMs?: number;
};

type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly words: string;
};

function create(meaning: Meaning, message: string, call: FailedCall): GithubError {
  return Object.assign(new KodiaiError(meaning.code, message, meaning), { call });
}

/** OpenSSL's words for a certificate that nothing known has signed. */
const UNKNOWN_AUTHORITY = /self[- ]signed certificate|local issuer certificate|verify the first certificate/i;

function noAnswer(error: unknown, context: CallContext): GithubError {
  const byProxy = proxyFailureOf(error);
  if (byProxy !== null) {
    const { code, hint, retryable, message } = byProxy;
    // The connection was never opened, so that GitHub has received nothing.
    const call = { status: null, words: message, isOutcomeUnknown: false };
    return create({ code, hint, retryable }, `no answer from GitHub to ${context.route}: ${message}`, call);
  }
  const words = maskCredentials(messageOf(error)).slice(0, MAX_WORDS_CHARS);
  return create(
    {
      code: "network",
      hint: UNKNOWN_AUTHORITY.test(words)
        ? "If your server or proxy has its own certificate authority, set NODE_EXTRA_CA_CERTS to the path of its certificate."
        : "Check that this machine can reach GITHUB_API_URL. Kodiai retries later.",
      retryable: true,
    },
    `no answer from GitHub to ${context.route}: ${words}`,
    { status: null, words, isOutcomeUnknown: true },
  );
}

/** Returns when the rate limit of this call ends. Null if it wasn't a rate limit. */
function rateLimitEnd(answer: Answer, nowMs: number): number | null {
  const namedMs = namedLimitEnd(answer, nowMs);
  return namedMs === null ? null : capWait(Math.max(namedMs, nowMs + MIN_WAIT_MS), nowMs);
}

export function capWait(untilMs: number, nowMs: number): number {
  return Math.min(untilMs, nowMs + MAX_WAIT_MS);
}

function namedLimitEnd({ status, headers, words }: Answer, nowMs: number): number | null {
  // GitHub rejects content that arrives too fast with the status of an invalid request.
  if (status === 422 && /submitted too quickly/i.test(words)) return nowMs + SECONDARY_LIMIT_WAIT_MS;
  if (status !== 403 && status !== 429) return null;
  const retryAfterSeconds = Number(headers["retry-after"]);
  if (headers["retry-after"] !== undefined && Number.isFinite(retryAfterSeconds)) {
    return nowMs + retryAfterSeconds * 1_000;
  }
  if (String(headers["x-ratelimit-remaining"]) === "0") {
    const namedMs = Number(headers["x-ratelimit-reset"]) * 1_000 + RESET_MARGIN_MS;
    const resetMs = toLocalTime(namedMs, headers, nowMs);
    // A reset in the past only means that the answer arrived late.
    return resetMs > nowMs ? resetMs : nowMs + SECONDARY_LIMIT_WAIT_MS;
  }
  const isLimit = status === 429 || /rate limit|abuse detection/i.test(words);
  return isLimit ? nowMs + SECONDARY_LIMIT_WAIT_MS : null;
}

function rateLimited(untilMs: number): Meaning {
  const hint = `Kodiai continues at ${new Date(untilMs).toISOString()}, when GitHub's rate limit resets.`;
  return { code: "rate-limited", hint, retryable: true, retryAtMs: untilMs };
}

function meaningOf({ status, words }: Answer, { credential }: CallContext): Meaning {
  if (status >= 500) {
    return { code: "network", hint: "GitHub has a problem. Kodiai retries later.", retryable: true };
  }
  if (status === 401) {
    return credential === "installation"
      ? {
          code: "forbidden",
          hint: "The token is no longer valid. The next attempt gets a new one.",
          retryable: true,
        }
      : forbidden("Check that GITHUB_APP_ID and GITHUB_PRIVATE_KEY belong to the same GitHub App.");
  }
  if (status === 403 && /suspended/i.test(words)) {
    const hint =
      "The installation is suspended. An owner of the account can unsuspend it in the account's settings.";
    return { code: "suspended", hint, retryable: false };
  }
  if (status === 423 || (status === 403 && /\blocked\b/i.test(words))) {
    return forbidden("The conversation is locked. Unlock it, and repeat the request.");
  }
  // GitHub rejects a token request for a repository that the app can no longer access as an invalid request.
  const isOutOfReach = status === 422 && credential === "app" && /not accessible/i.test(words);
  if (status === 404 || status === 410 || isOutOfReach) {
    const hint =
      credential === "app"
        ? "Check GITHUB_APP_ID, and that the app is still installed on the repository."
        : "It was deleted or moved, or the app no longer has access to it.";
    return { code: "not-found", hint, retryable: false };
  }
  if (status === 403 || /permission/i.test(words)) {
    return forbidden(
      "Grant the app the permissions listed in docs/github-app.md, and accept them in the installation.",
    );
  }
  return forbidden(
    "GitHub rejected the request as invalid. This is probably a bug in Kodiai; please report it.",
  );
}

function forbidden(hint: string): Meaning {
  return { code: "forbidden", hint, retryable: false };
}

/** GitHub's explanation is `message`, with `errors` that are strings or objects. */
function sentenceOf(data: unknown): string {
  if (typeof data === "string") return data;
  if (typeof data !== "object" || data === null) return "";
  const message = "message" in data && typeof data.message === "string" ? data.message : "";
  const errors = "errors" in data && Array.isArray(data.errors) ? data.errors : [];
  const details = errors.map((detail: unknown) =>
    typeof detail === "string" ? detail : JSON.stringify(detail),
  );
  return [message, ...details].filter((part) => part !== "").join("; ");
}
