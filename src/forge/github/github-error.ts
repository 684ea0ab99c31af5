/**
 * What a failed call to GitHub means, as a KodiaiError. Nothing of the request goes along: octokit's own errors hold
 * headers, and a credential must not travel in an error, a log or a cause.
 */
import { RequestError } from "@octokit/request-error";
import { KodiaiError, messageOf, type ErrorCode } from "../../base/errors.ts";
import { maskCredentials } from "../../base/secrets/mask-credentials.ts";
import { toOurTime } from "./github-time.ts";

/** What the publisher needs to know of a failed call, beyond the error itself. */
export type FailedCall = {
  /** Null when no whole answer came. */
  readonly status: number | null;
  /** GitHub's own words, masked. */
  readonly words: string;
  /** The request may have been carried out: no answer, or a server's failure that can come after the deed. */
  readonly isFateUnknown: boolean;
};

export type GithubError = KodiaiError & { readonly call: FailedCall };

export type CallContext = {
  /** The route as written in the code, without values. */
  readonly route: string;
  readonly credential: "app" | "installation" | "none";
  readonly nowMs: number;
};

/** GitHub says to wait at least a minute when a secondary limit comes without a time. */
const SECONDARY_LIMIT_WAIT_MS = 60_000;

/** One second more than the reset that is told in whole seconds. */
const RESET_MARGIN_MS = 1_000;

/** Whoever was refused does not come back at once, whatever the two clocks say: the job would be tried without a pause. */
const MIN_WAIT_MS = 1_000;

/** GitHub's longest window is an hour; a clock that is off, or a strange header, must not hold a job back for days. */
const MAX_WAIT_MS = 65 * 60_000;

const MAX_WORDS_CHARS = 500;

export function isGithubError(error: unknown): error is GithubError {
  return error instanceof KodiaiError && "call" in error;
}

/** Whether the call failed with this status. */
export function hasStatus(error: unknown, status: number): error is GithubError {
  return isGithubError(error) && error.call.status === status;
}

export function isFateUnknown(error: unknown): error is GithubError {
  return isGithubError(error) && error.call.isFateUnknown;
}

/** Translates whatever a call threw. An error that is ours already stays as it is. */
export function toGithubError(error: unknown, context: CallContext): KodiaiError {
  if (error instanceof KodiaiError) return error;
  const response = error instanceof RequestError ? error.response : undefined;
  if (response === undefined) return noAnswer(error, context);
  const words = maskCredentials(sentenceOf(response.data)).slice(0, MAX_WORDS_CHARS);
  const answer = { status: response.status, headers: response.headers, words };
  const retryAtMs = rateLimitEnd(answer, context.nowMs);
  const meaning = retryAtMs === null ? meaningOf(answer, context) : rateLimited(retryAtMs);
  const call = { status: answer.status, words, isFateUnknown: answer.status >= 500 };
  const message = `GitHub answered ${answer.status} to ${context.route}: ${words || "no explanation"}`;
  return create(meaning, message, call);
}

/** The call failed while its token was being minted: the request that needed it was not sent, and has no answer. */
export function beforeSending(error: unknown): unknown {
  if (!isGithubError(error)) return error;
  const { code, message, hint, retryable, retryAtMs, call } = error;
  const meaning = { code, hint, retryable, ...(retryAtMs === null ? {} : { retryAtMs }) };
  return create(meaning, message, { ...call, status: null, isFateUnknown: false });
}

/** Our own limits were reached before anything was sent. */
export function heldBack(untilMs: number, route: string): GithubError {
  const call = { status: null, words: "", isFateUnknown: false };
  return create(rateLimited(untilMs), `${route} was held back by GitHub's limits`, call);
}

/** Something that was asked for may still appear; the same call later knows. */
export function notKnownYet(untilMs: number, what: string): GithubError {
  const hint = "Nothing needs to be done: it is looked for again.";
  const meaning: Meaning = { code: "network", hint, retryable: true, retryAtMs: untilMs };
  const call = { status: null, words: "", isFateUnknown: true };
  return create(meaning, `it is not known yet whether ${what} was written`, call);
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

function noAnswer(error: unknown, context: CallContext): GithubError {
  const words = maskCredentials(messageOf(error)).slice(0, MAX_WORDS_CHARS);
  return create(
    {
      code: "network",
      hint: "Check that this machine reaches GITHUB_API_URL; the call is made again later.",
      retryable: true,
    },
    `no answer from GitHub to ${context.route}: ${words}`,
    { status: null, words, isFateUnknown: true },
  );
}

/** When the limit that refused this call ends; null when it was not a limit. */
function rateLimitEnd(answer: Answer, nowMs: number): number | null {
  const namedMs = namedLimitEnd(answer, nowMs);
  return namedMs === null ? null : notTooLate(Math.max(namedMs, nowMs + MIN_WAIT_MS), nowMs);
}

export function notTooLate(untilMs: number, nowMs: number): number {
  return Math.min(untilMs, nowMs + MAX_WAIT_MS);
}

function namedLimitEnd({ status, headers, words }: Answer, nowMs: number): number | null {
  // Content that comes too fast is refused as if it were wrong; it is not.
  if (status === 422 && /submitted too quickly/i.test(words)) return nowMs + SECONDARY_LIMIT_WAIT_MS;
  if (status !== 403 && status !== 429) return null;
  const retryAfterSeconds = Number(headers["retry-after"]);
  if (headers["retry-after"] !== undefined && Number.isFinite(retryAfterSeconds)) {
    return nowMs + retryAfterSeconds * 1_000;
  }
  if (String(headers["x-ratelimit-remaining"]) === "0") {
    const namedMs = Number(headers["x-ratelimit-reset"]) * 1_000 + RESET_MARGIN_MS;
    const resetMs = toOurTime(namedMs, headers, nowMs);
    // A reset that is over says only that the answer came late.
    return resetMs > nowMs ? resetMs : nowMs + SECONDARY_LIMIT_WAIT_MS;
  }
  const isLimit = status === 429 || /rate limit|abuse detection/i.test(words);
  return isLimit ? nowMs + SECONDARY_LIMIT_WAIT_MS : null;
}

function rateLimited(untilMs: number): Meaning {
  const hint = `GitHub asks to wait until ${new Date(untilMs).toISOString()}; the work goes on then.`;
  return { code: "rate-limited", hint, retryable: true, retryAtMs: untilMs };
}

function meaningOf({ status, words }: Answer, { credential }: CallContext): Meaning {
  if (status >= 500) {
    return { code: "network", hint: "GitHub has trouble; the call is made again later.", retryable: true };
  }
  if (status === 401) {
    return credential === "installation"
      ? {
          code: "forbidden",
          hint: "The token is no longer valid; the next try gets a new one.",
          retryable: true,
        }
      : forbidden("Check that GITHUB_APP_ID and GITHUB_PRIVATE_KEY belong to the same GitHub App.");
  }
  if (status === 403 && /suspended/i.test(words)) {
    const hint = "The installation is suspended: an owner of the account can unsuspend it in its settings.";
    return { code: "suspended", hint, retryable: false };
  }
  if (status === 423 || (status === 403 && /\blocked\b/i.test(words))) {
    return forbidden("The conversation is locked: unlock the pull request and ask for the review again.");
  }
  // A token for a repository that the app lost its access to is refused as a wrong request.
  const isOutOfReach = status === 422 && credential === "app" && /not accessible/i.test(words);
  if (status === 404 || status === 410 || isOutOfReach) {
    const hint =
      credential === "app"
        ? "Check GITHUB_APP_ID, and that the app is still installed on the repository."
        : "It was deleted or moved, or the app has no access to it any more.";
    return { code: "not-found", hint, retryable: false };
  }
  if (status === 403 || /permission/i.test(words)) {
    return forbidden(
      "Grant the app the permissions that docs/github-app.md lists, and accept them where it is installed.",
    );
  }
  return forbidden("GitHub refused the request as it was; this looks like a defect worth reporting.");
}

function forbidden(hint: string): Meaning {
  return { code: "forbidden", hint, retryable: false };
}

/** GitHub explains itself as `message`, with `errors` that are texts or objects. */
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
