/** Tests how GitHub's answers become errors, and that no error contains a credential. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { RequestError } from "@octokit/request-error";
import {
  asNotSent,
  type GithubError,
  isOutcomeUnknown,
  isGithubError,
  requireNoErrors,
  toGithubError,
} from "./github-error.ts";

const NOW_MS = 1_700_000_000_000;
const TOKEN = "ghs_abcdefghijklmnopqrstuvwxyz0123456789";

type Answer = {
  status: number;
  message: string;
  headers?: Record<string, string>;
  errors?: readonly unknown[];
};

function failed({ status, message, headers = {}, errors }: Answer): RequestError {
  const data = { message, ...(errors === undefined ? {} : { errors }) };
  return new RequestError(message, status, {
    request: { method: "POST", url: "https://api.example/x", headers: { authorization: `token ${TOKEN}` } },
    response: { status, url: "https://api.example/x", headers, data },
  });
}

const translate = (error: unknown, credential: "app" | "installation" = "installation") =>
  toGithubError(error, { route: "POST /x", credential, nowMs: NOW_MS });

test("each answer maps to one error", () => {
  const secondary = "You have exceeded a secondary rate limit";
  const cases: readonly (readonly [Answer, string, boolean, number | null, boolean])[] = [
    [{ status: 401, message: "Bad credentials" }, "forbidden", true, null, false],
    [{ status: 403, message: "This installation has been suspended" }, "suspended", false, null, false],
    [{ status: 403, message: "Resource not accessible by integration" }, "forbidden", false, null, false],
    [{ status: 403, message: secondary }, "rate-limited", true, NOW_MS + 60_000, false],
    [
      { status: 403, message: secondary, headers: { "retry-after": "17" } },
      "rate-limited",
      true,
      NOW_MS + 17_000,
      false,
    ],
    [{ status: 429, message: "slow" }, "rate-limited", true, NOW_MS + 60_000, false],
    [
      {
        status: 403,
        message: "API rate limit exceeded",
        headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(NOW_MS / 1_000 + 600) },
      },
      "rate-limited",
      true,
      NOW_MS + 601_000,
      false,
    ],
    [{ status: 404, message: "Not Found" }, "not-found", false, null, false],
    [{ status: 410, message: "Gone" }, "not-found", false, null, false],
    [{ status: 422, message: "Unprocessable Entity" }, "forbidden", false, null, false],
    [{ status: 423, message: "Locked" }, "forbidden", false, null, false],
    [{ status: 500, message: "oops" }, "network", true, null, true],
    [{ status: 502, message: "Bad Gateway" }, "network", true, null, true],
  ];
  for (const [answer, code, retryable, retryAtMs, isUnknown] of cases) {
    const error = translate(failed(answer));
    const actual = { code: error.code, retryable: error.retryable, retryAtMs: error.retryAtMs };
    assert.deepEqual(actual, { code, retryable, retryAtMs }, `${answer.status} ${answer.message}`);
    assert.equal(isOutcomeUnknown(error), isUnknown);
    assert.match(error.message, new RegExp(`answered ${answer.status} to POST /x: `));
  }
});

test("the wait for a rate limit is always at least a second and never days, for any headers and clocks", () => {
  const used = (reset: string) => ({ "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset });
  const cases: readonly (readonly [Record<string, string>, number])[] = [
    [{ "retry-after": "0" }, 1_000],
    [{ "retry-after": "-5" }, 1_000],
    [{ "retry-after": "1e300" }, 65 * 60_000],
    [used(String(NOW_MS / 1_000 - 3_600)), 60_000],
    [used(String(NOW_MS / 1_000 + 86_400)), 65 * 60_000],
    [used("soon"), 60_000],
  ];
  for (const [headers, waitMs] of cases) {
    const error = translate(failed({ status: 403, message: "API rate limit exceeded", headers }));
    assert.deepEqual(
      [error.code, error.retryAtMs],
      ["rate-limited", NOW_MS + waitMs],
      JSON.stringify(headers),
    );
  }
});

test("content submitted too quickly is a rate limit, not an invalid line", () => {
  const errors = [{ resource: "PullRequestReview", code: "custom", message: "was submitted too quickly" }];
  const error = translate(failed({ status: 422, message: "Validation Failed", errors }));
  assert.deepEqual([error.code, error.retryAtMs], ["rate-limited", NOW_MS + 60_000]);
});

test("a repository that the app lost access to is not found, not a bug", () => {
  const message =
    "There is at least one repository that does not exist or is not accessible to the parent installation.";
  const error = translate(failed({ status: 422, message }), "app");
  assert.equal(error.code, "not-found");
  assert.match(error.hint, /still installed/);
});

test("rejected credentials of the app are named in the hint", () => {
  const error = translate(failed({ status: 401, message: "A JSON web token could not be decoded" }), "app");
  assert.match(error.hint, /GITHUB_APP_ID and GITHUB_PRIVATE_KEY/);
  assert.equal(error.retryable, false);
});

test("a locked conversation is recognized", () => {
  for (const answer of [
    { status: 423, message: "Locked" },
    { status: 403, message: "Unable to create comment because issue is locked." },
  ]) {
    assert.match(translate(failed(answer)).hint, /locked/);
  }
});

test("a missing answer is a network error with an unknown outcome", () => {
  for (const error of [new TypeError("fetch failed"), new DOMException("timed out", "TimeoutError"), "odd"]) {
    const translated = translate(error);
    assert.equal(translated.code, "network");
    assert.ok(translated.retryable && isOutcomeUnknown(translated));
  }
});

test("a failure to create a token means that the request wasn't sent", () => {
  const error = asNotSent(translate(failed({ status: 502, message: "Bad Gateway" })));
  assert.ok(isGithubError(error));
  assert.equal(error.code, "network");
  assert.deepEqual(
    { status: error.call.status, isOutcomeUnknown: error.call.isOutcomeUnknown },
    { status: null, isOutcomeUnknown: false },
  );
});

test("errors keep GitHub's explanation, but no credential and no request", () => {
  const answer = {
    status: 422,
    message: `echo token ${TOKEN}`,
    errors: ["first", { field: "line", code: TOKEN }],
  };
  const error = translate(failed(answer));
  assert.match(error.message, /first; \{"field":"line"/);
  for (const each of [error, translate(new Error(`connect with Bearer ${TOKEN}`))]) {
    const everything = inspect(each, { depth: Infinity, showHidden: true, getters: true });
    assert.ok(!everything.includes(TOKEN), everything);
    assert.ok(!everything.includes("authorization"));
    assert.equal(each.cause, undefined);
  }
});

test("each error of GraphQL is the one that REST would have", () => {
  const wrong = "Something went wrong while executing your query.";
  const cases: readonly (readonly [object, string, number, boolean])[] = [
    [{ type: "NOT_FOUND", message: "Could not resolve to a node" }, "not-found", 404, false],
    [{ type: "FORBIDDEN", message: "Resource not accessible by integration" }, "forbidden", 403, false],
    [{ type: "RATE_LIMITED", message: "API rate limit exceeded" }, "rate-limited", 429, true],
    [{ message: "You have exceeded a secondary rate limit" }, "rate-limited", 403, true],
    [{ type: "INTERNAL", message: "oops" }, "network", 500, true],
    [{ message: wrong }, "network", 502, true],
    [{ message: "Field 'x' doesn't exist on type 'Y'" }, "forbidden", 422, false],
  ];
  for (const [error, code, status, isRetryable] of cases) {
    const data = { data: null, errors: [error] };
    const found = failureOf({ data, headers: {} });
    assert.deepEqual([found.code, found.call.status, found.retryable], [code, status, isRetryable]);
    assert.equal(isOutcomeUnknown(found), code === "network");
  }
  // A query may cost more than what is left.
  const headers = { "x-ratelimit-remaining": "4", "x-ratelimit-reset": String(NOW_MS / 1_000 + 600) };
  const limited = failureOf({ data: { errors: [{ type: "RATE_LIMITED", message: "exceeded" }] }, headers });
  assert.equal(limited.retryAtMs, NOW_MS + 601_000);
  for (const data of [{ data: {} }, { data: {}, errors: [] }, null])
    requireNoErrors(
      { data, headers: {} },
      { route: "POST /graphql", credential: "installation", nowMs: NOW_MS },
    );
});

function failureOf(answer: Parameters<typeof requireNoErrors>[0]): GithubError {
  try {
    requireNoErrors(answer, { route: "POST /graphql", credential: "installation", nowMs: NOW_MS });
  } catch (error) {
    assert.ok(isGithubError(error));
    return error;
  }
  return assert.fail("no error was thrown");
}
