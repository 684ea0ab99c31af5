/** Classifies a provider's error: how the run ends, and whether the call may be retried. */
import { proxyFailureOf } from "../../base/outbound/outbound-fetch.ts";
import { parseRetryAfterMs } from "../../base/parse-retry-after.ts";
import type { Ending } from "../model.ts";
import type { StopReason } from "../stop-reason.ts";

export type Failure = Ending & {
  /** "overload": until the limit; "lost": a few times; "room", "effort", "summary" and "verbosity": once, with a lower demand; null: it would fail again. */
  readonly retry: "overload" | "lost" | "room" | "effort" | "summary" | "verbosity" | null;
  /** The provider's retry-after; null without one. */
  readonly retryAfterMs: number | null;
};

const OVERLOADED: ReadonlySet<number> = new Set([429, 503, 529]);

/** Provider errors that usually pass within seconds. */
const TRANSIENT: ReadonlySet<number> = new Set([408, 500, 502, 504]);

const OVERLOADED_WORDS = /overloaded|rate_limit|slow_down|unavailable|resource_exhausted/i;

/** An exhausted quota, which waiting doesn't restore; 402 means the same. */
const QUOTA_WORDS = /insufficient_quota|billing_hard_limit|billing_error|credit balance is too low/i;
const PAYMENT_REQUIRED = 402;

/** The request is too large: a shorter prompt may still fit. */
const TOO_LARGE = 413;

// Each provider has its own message and status.
const OVERFLOW_WORDS =
  /context_length_exceeded|context (window|length|limit)|prompt is too long|input is too long|token count .{0,40}exceeds|too many tokens|request_too_large/i;

/** Statuses of a request with a rejected parameter. */
const REFUSED: ReadonlySet<number> = new Set([400, 422]);

// The requested output is too long, alone or together with the prompt: OpenAI, Anthropic, Google, vLLM, SGLang, TGI.
const ROOM_WORDS =
  /max_(?:completion_|output_|new_)?tokens|maxOutputTokens|(?:in|for) the completion|in the output/i;

// The model doesn't support thinking, or this effort: OpenAI, Anthropic, Google, vLLM, Ollama.
const EFFORT_WORDS = /reasoning|thinking|effort/i;

// The organization isn't verified for reasoning summaries, or the model has none: OpenAI.
const SUMMARY_WORDS = /reasoning\.?[ _]?summar/i;

// The model knows one length of answers, or none: OpenAI.
const VERBOSITY_WORDS = /verbosity/i;

// Larger than any real error body. The rest is ignored.
const MAX_WORDS_CHARS = 10_000;

export const LOST: Failure = {
  kind: "failed",
  stopReason: { kind: "connection-lost" },
  retry: "lost",
  retryAfterMs: null,
};

/** The provider was never reached: unknown host, closed port, no route, or an invalid certificate. */
const UNREACHED_CODES =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|E(?:HOST|NET)(?:UNREACH|DOWN)|EADDRNOTAVAIL|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|ERR_(?:TLS|SSL)_\w+|CERT_\w+|UNABLE_TO_\w+|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT\w*)$/;

/** The longest chain of causes that is read; real chains have three or four. */
const MAX_CAUSES = 10;

type Fields = { readonly [key: string]: unknown };

const fieldsOf = (value: unknown): Fields =>
  // Any object can be indexed by any field.
  typeof value === "object" && value !== null ? (value as Fields) : {};

/** An error status. Errors within a stream carry 200. */
function failedStatus(value: unknown): number | null {
  const number = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && number >= 400 && number < 600 ? number : null;
}

/** Errors within a stream arrive raw or wrapped; errors of a response carry its status. */
function statusOf(error: unknown): number | null {
  const { statusCode, code } = fieldsOf(error);
  return failedStatus(statusCode) ?? failedStatus(code);
}

/** All texts of the error, to search for known words. */
function wordsOf(error: unknown): string {
  const { message, type, code, status, responseBody, data } = fieldsOf(error);
  const parts = [message, type, code, status, responseBody, data === undefined ? "" : JSON.stringify(data)];
  return parts
    .filter((part) => typeof part === "string")
    .join(" ")
    .slice(0, MAX_WORDS_CHARS);
}

/** Parses retry-after (seconds or a date) and retry-after-ms. */
export function retryAfterMsOf(error: unknown, nowMs: number): number | null {
  const headers = fieldsOf(fieldsOf(error)["responseHeaders"]);
  const precise = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (Number.isFinite(precise)) return Math.max(0, precise);
  const said = headers["retry-after"];
  if (typeof said !== "string") return null;
  return parseRetryAfterMs(said, nowMs);
}

function isUnreached(error: unknown): boolean {
  if (proxyFailureOf(error) !== null) return true;
  // fetch refuses the ports that browsers refuse, and has no code for that.
  return causesOf(error).some(
    ({ code, message }) => message === "bad port" || (typeof code === "string" && UNREACHED_CODES.test(code)),
  );
}

/** Network errors have no status: the SDK describes them in words, undici throws type errors. */
function isLost(error: unknown): boolean {
  const causes = causesOf(error);
  const abortedAt = causes.findIndex(({ name }) => name === "AbortError");
  return causes
    .slice(0, abortedAt === -1 ? causes.length : abortedAt + 1)
    .some(
      ({ code, message }) =>
        (typeof code === "string" && /^(E[A-Z]+|UND_ERR_\w+)$/.test(code)) ||
        (typeof message === "string" &&
          /cannot connect to api|fetch failed|terminated|without a finish reason/i.test(message)),
    );
}

/** The error and its causes, outermost first. A cyclic chain ends at the limit. */
function causesOf(error: unknown): readonly Fields[] {
  const causes: Fields[] = [];
  for (let at = error; at !== undefined && causes.length < MAX_CAUSES; at = fieldsOf(at)["cause"])
    causes.push(fieldsOf(at));
  return causes;
}

const failed = (stopReason: StopReason): Failure => ({
  kind: "failed",
  stopReason,
  retry: null,
  retryAfterMs: null,
});

export function classifyFailure(error: unknown, nowMs: number): Failure {
  const status = statusOf(error);
  const words = wordsOf(error);
  const { retry, ...failure } = meaningOf(error, { status, words, nowMs });
  return { ...failure, retry: retry ?? refusedDemand(status, words) };
}

function refusedDemand(status: number | null, words: string): Failure["retry"] {
  if (status === null || !REFUSED.has(status)) return null;
  if (SUMMARY_WORDS.test(words)) return "summary";
  if (VERBOSITY_WORDS.test(words)) return "verbosity";
  return ROOM_WORDS.test(words) ? "room" : EFFORT_WORDS.test(words) ? "effort" : null;
}

type Read = { readonly status: number | null; readonly words: string; readonly nowMs: number };

function meaningOf(error: unknown, { status, words, nowMs }: Read): Failure {
  if (status === TOO_LARGE || (status !== 429 && OVERFLOW_WORDS.test(words)))
    return failed({ kind: "context-overflow" });
  if (status === PAYMENT_REQUIRED || QUOTA_WORDS.test(words)) return failed({ kind: "quota-exceeded" });
  if (status === null ? OVERLOADED_WORDS.test(words) : OVERLOADED.has(status)) {
    const stopReason: StopReason = status === null ? { kind: "overloaded" } : { kind: "http-error", status };
    return { kind: "overloaded", stopReason, retry: "overload", retryAfterMs: retryAfterMsOf(error, nowMs) };
  }
  if (status !== null)
    return { ...failed({ kind: "http-error", status }), retry: TRANSIENT.has(status) ? "lost" : null };
  if (isUnreached(error)) return { ...LOST, stopReason: { kind: "no-connection" } };
  return isLost(error) ? LOST : failed({ kind: "provider-error" });
}
