/** Errors of providers, in the shapes in which they arrive. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { stopCode } from "../stop-code.ts";
import { classifyFailure, retryAfterMsOf } from "./classify-failure.ts";

const NOW_MS = Date.parse("2026-01-01T00:00:00Z");

const socketError = new TypeError("terminated", { cause: { code: "UND_ERR_SOCKET" } });

/** As the AI SDK wraps what fetch throws. */
const refusedPort = {
  message: "Cannot connect to API: connect ECONNREFUSED 127.0.0.1:9",
  cause: new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } }),
};
const unknownHost = {
  message: "Cannot connect to API: getaddrinfo ENOTFOUND nosuch.invalid",
  cause: { code: "ENOTFOUND" },
};

const CASES: readonly (readonly [
  what: string,
  error: unknown,
  kind: string,
  code: string,
  retry: string | null,
])[] = [
  ["429", { statusCode: 429 }, "overloaded", "http-429", "overload"],
  ["529", { statusCode: 529 }, "overloaded", "http-529", "overload"],
  ["500", { statusCode: 500 }, "failed", "http-500", "lost"],
  ["401", { statusCode: 401, message: "invalid x-api-key" }, "failed", "http-401", null],
  [
    "a status in the code of an error event",
    { code: 503, message: "busy" },
    "overloaded",
    "http-503",
    "overload",
  ],
  [
    "an overloaded event without a status",
    { type: "overloaded_error" },
    "overloaded",
    "overloaded",
    "overload",
  ],
  [
    "an empty account",
    { statusCode: 429, responseBody: "insufficient_quota" },
    "failed",
    "quota-exceeded",
    null,
  ],
  [
    "an answer longer than the model allows",
    {
      statusCode: 400,
      message: "max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens",
    },
    "failed",
    "http-400",
    "room",
  ],
  [
    "prompt and answer longer than the window together",
    {
      statusCode: 400,
      message: "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000",
    },
    "failed",
    "context-overflow",
    "room",
  ],
  [
    "a model that does not think",
    { statusCode: 400, responseBody: '{"error":"\\"llama3\\" does not support thinking"}' },
    "failed",
    "http-400",
    "effort",
  ],
  [
    "summaries for verified organizations only",
    {
      statusCode: 400,
      message:
        "Your organization must be verified to generate reasoning summaries. Please go to the settings page.",
    },
    "failed",
    "http-400",
    "summary",
  ],
  [
    "a summary that the model doesn't know",
    { statusCode: 400, message: "Unsupported parameter: 'reasoning.summary' is not supported." },
    "failed",
    "http-400",
    "summary",
  ],
  [
    "a length that the model doesn't know",
    { statusCode: 400, message: "Unsupported value: 'low' is not supported with 'text.verbosity'." },
    "failed",
    "http-400",
    "verbosity",
  ],
  [
    "a wrong key that speaks of thinking",
    { statusCode: 401, message: "no reasoning for this key" },
    "failed",
    "http-401",
    null,
  ],
  [
    "the context of OpenAI",
    { statusCode: 400, data: { error: { code: "context_length_exceeded" } } },
    "failed",
    "context-overflow",
    null,
  ],
  [
    "the context of vLLM",
    { statusCode: 400, message: "This model's maximum context length is 4096 tokens." },
    "failed",
    "context-overflow",
    null,
  ],
  [
    "too many tokens a minute, which is no overflow",
    { statusCode: 429, message: "too many tokens per minute" },
    "overloaded",
    "http-429",
    "overload",
  ],
  ["a socket that closed", socketError, "failed", "connection-lost", "lost"],
  [
    "a socket that closed within an answer",
    { statusCode: 200, cause: socketError },
    "failed",
    "connection-lost",
    "lost",
  ],
  [
    "a connection that failed without saying why",
    { message: "Cannot connect to API: connect" },
    "failed",
    "connection-lost",
    "lost",
  ],
  ["a closed port", refusedPort, "failed", "no-connection", "lost"],
  [
    "a port that fetch does not open",
    new TypeError("fetch failed", { cause: new Error("bad port") }),
    "failed",
    "no-connection",
    "lost",
  ],
  ["an unknown host", unknownHost, "failed", "no-connection", "lost"],
  [
    "a certificate that is not to be believed",
    new TypeError("fetch failed", { cause: { code: "DEPTH_ZERO_SELF_SIGNED_CERT" } }),
    "failed",
    "no-connection",
    "lost",
  ],
  [
    "Anthropic's account without credit",
    {
      statusCode: 400,
      message: "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.",
    },
    "failed",
    "quota-exceeded",
    null,
  ],
  ["a payment that is due", { statusCode: 402 }, "failed", "quota-exceeded", null],
  ["a body that is too large", { statusCode: 413 }, "failed", "context-overflow", null],
  ["anything", new Error("what?"), "failed", "provider-error", null],
  ["nothing", undefined, "failed", "provider-error", null],
  ["a text", "overloaded", "failed", "provider-error", null],
];

for (const [what, error, kind, code, retry] of CASES)
  test(`${what} is ${kind}: ${code}`, () => {
    const failure = classifyFailure(error, NOW_MS);
    assert.deepEqual([failure.kind, stopCode(failure.stopReason), failure.retry], [kind, code, retry]);
  });

test("retry-after is read as seconds, as a date, and in milliseconds", () => {
  const after = (responseHeaders: unknown): number | null => retryAfterMsOf({ responseHeaders }, NOW_MS);
  assert.equal(after({ "retry-after": "3" }), 3_000);
  assert.equal(after({ "retry-after": "Thu, 01 Jan 2026 00:00:05 GMT" }), 5_000);
  assert.equal(after({ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }), 0);
  assert.equal(after({ "retry-after-ms": "250", "retry-after": "9" }), 250);
  assert.equal(after({ "retry-after": "soon" }), null);
  assert.equal(after({}), null);
  assert.equal(retryAfterMsOf(undefined, NOW_MS), null);
});

test("failure: errors that cause one another are read once", () => {
  const [one, other]: { cause?: unknown }[] = [{}, {}];
  assert.ok(one !== undefined && other !== undefined);
  one.cause = other;
  other.cause = one;
  assert.deepEqual(classifyFailure(one, 0).stopReason, { kind: "provider-error" });
});
