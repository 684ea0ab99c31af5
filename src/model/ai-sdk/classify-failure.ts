/** What an error of a provider means: fixed words for the outcome, and whether the same call may be made again. */
import type { Ending } from "../model.ts";
import type { StopReason } from "../stop-reason.ts";

export type Failure = Ending & {
  /**
   * "overload": as long as patience lasts; "lost": a few times; "room" and "effort": once, without asking for so much of it; null: it
   * would fail again.
   */
  readonly retry: "overload" | "lost" | "room" | "effort" | null;
  /** What the provider asks to wait; null when it does not say. */
  readonly retryAfterMs: number | null;
};

const OVERLOADED: ReadonlySet<number> = new Set([429, 503, 529]);

/** Of the provider, and usually gone the next moment. */
const TRANSIENT: ReadonlySet<number> = new Set([408, 500, 502, 504]);

const OVERLOADED_WORDS = /overloaded|rate_limit|slow_down|unavailable|resource_exhausted/i;

/** A limit that waiting does not lift, and the status that says the same. */
const QUOTA_WORDS = /insufficient_quota|billing_hard_limit|billing_error|credit balance is too low/i;
const PAYMENT_REQUIRED = 402;

/** Larger than the provider takes: a shorter prompt may still pass. */
const TOO_LARGE = 413;

// Each provider has its own words, and its own status.
const OVERFLOW_WORDS =
  /context_length_exceeded|context (window|length|limit)|prompt is too long|input is too long|token count .{0,40}exceeds|too many tokens|request_too_large/i;

/** Statuses of a request that is refused for what it asks for. */
const REFUSED: ReadonlySet<number> = new Set([400, 422]);

// The answer may not be as long, or not beside this prompt: OpenAI, Anthropic, Google, vLLM, SGLang, TGI.
const ROOM_WORDS =
  /max_(?:completion_|output_|new_)?tokens|maxOutputTokens|(?:in|for) the completion|in the output/i;

// The model does not think, or not as hard: OpenAI, Anthropic, Google, vLLM, Ollama.
const EFFORT_WORDS = /reasoning|thinking|effort/i;

// Larger than any body that says why; what is longer is not read for words.
const MAX_WORDS_CHARS = 10_000;

export const LOST: Failure = {
  kind: "failed",
  stopReason: { kind: "connection-lost" },
  retry: "lost",
  retryAfterMs: null,
};

/** Nobody was reached at all: no such host, no such port, no way there, nobody who is who it should be. */
const UNREACHED_CODES =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|E(?:HOST|NET)(?:UNREACH|DOWN)|EADDRNOTAVAIL|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|ERR_(?:TLS|SSL)_\w+|CERT_\w+|UNABLE_TO_\w+|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT\w*)$/;

/** Of a chain of causes; real ones have three or four. */
const MAX_CAUSES = 10;

type Fields = { readonly [key: string]: unknown };

const fieldsOf = (value: unknown): Fields =>
  // An object of any kind can be asked for any field.
  typeof value === "object" && value !== null ? (value as Fields) : {};

/** A status that says what went wrong; 200 stands on errors that came after it. */
function failedStatus(value: unknown): number | null {
  const number = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && number >= 400 && number < 600 ? number : null;
}

/** Errors within a stream come as they were sent, or wrapped; those of a response carry its status. */
function statusOf(error: unknown): number | null {
  const { statusCode, code } = fieldsOf(error);
  return failedStatus(statusCode) ?? failedStatus(code);
}

/** All that it says about itself, only to look for words in it. */
function wordsOf(error: unknown): string {
  const { message, type, code, status, responseBody, data } = fieldsOf(error);
  const parts = [message, type, code, status, responseBody, data === undefined ? "" : JSON.stringify(data)];
  return parts
    .filter((part) => typeof part === "string")
    .join(" ")
    .slice(0, MAX_WORDS_CHARS);
}

/** Seconds or a date, as HTTP has it; milliseconds where the provider says so. */
export function retryAfterMsOf(error: unknown, nowMs: number): number | null {
  const headers = fieldsOf(fieldsOf(error)["responseHeaders"]);
  const precise = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (Number.isFinite(precise)) return Math.max(0, precise);
  const said = headers["retry-after"];
  if (typeof said !== "string") return null;
  const seconds = Number(said);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const date = Date.parse(said);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

function isUnreached(error: unknown): boolean {
  // Ports that no browser would open are not opened by fetch either; it has no code for that.
  return causesOf(error).some(
    ({ code, message }) => message === "bad port" || (typeof code === "string" && UNREACHED_CODES.test(code)),
  );
}

/** Errors of the network have no status: the SDK's say so in words, undici's are type errors. */
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

/** The error and what it says caused it, the last one last; a chain that comes back to itself ends. */
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
