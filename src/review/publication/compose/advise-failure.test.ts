import assert from "node:assert/strict";
import { test } from "node:test";
import { modelPass } from "../../../../test/support/sample-publication.ts";
import { PRICE_UNKNOWN } from "../../../jobs/model-review/fallback-plan.ts";
import { adviseFailure, adviseRest, describeReason } from "./advise-failure.ts";

const CASES: readonly (readonly [model: string, stopReason: string, what: RegExp, advice: RegExp])[] = [
  ["anthropic:x", "HTTP 401", /does not accept the key, HTTP 401/, /^Check ANTHROPIC_API_KEY where/],
  ["claude:x", "HTTP 401", /the key/, /ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN/],
  ["openai:x", "HTTP 403", /the key, HTTP 403/, /^Check OPENAI_API_KEY where/],
  ["google:x", "HTTP 401", /the key/, /^Check GEMINI_API_KEY where/],
  ["compatible:x", "HTTP 401", /the key/, /^Check KODIAI_COMPATIBLE_KEY where/],
  ["openai:x", "HTTP 404", /no such model/, /name of the model, and OPENAI_BASE_URL where.*if it is set/],
  ["compatible:x", "HTTP 404", /no such model/, /KODIAI_COMPATIBLE_URL where.*\/v1 at its end/],
  ["openai:x", "HTTP 400", /does not take such requests, HTTP 400/, /can call tools/],
  ["openai:x", "HTTP 502", /its provider failed, HTTP 502/, /^Try again later, or name another model/],
  [
    "compatible:x",
    "no connection",
    /could not be reached/,
    /its server runs, and that KODIAI_COMPATIBLE_URL/,
  ],
  ["google:x", "no connection", /could not be reached/, /network where Kodiai runs, and GOOGLE_BASE_URL/],
  ["openai:x", "connection lost", /connection was lost/, /proxy or gateway/],
  ["openai:x", "quota exceeded", /no credit left/, /^Top up the account/],
  [
    "openai:x",
    "context overflow",
    /longer than its window/,
    /larger window, or review the change in smaller/,
  ],
  ["openai:x", "output limit", /longer than one may be/, /another model/],
  ["openai:x", "turn limit", /came to no end/, /another model/],
  ["openai:x", "empty answer", /was empty/, /can call them/],
  ["openai:x", "no tool was used", /used no tool/, /can call them/],
  ["openai:x", "malformed tool calls", /could not be read/, /can call them/],
  ["openai:x", "provider error", /sent an error/, /^Try again later/],
  ["claude:x", "program ended", /ended by itself/, /claude-agent-sdk again/],
  ["claude:x", "budget not known", /nobody could say/, /database/],
  ["openai:x", "defect", /a defect of Kodiai/, /report it/],
];

for (const [model, stopReason, what, advice] of CASES) {
  test(`failures: ${model}, ${stopReason}: what happened, and what to do, a sentence each`, () => {
    const failed = modelPass(model, { outcome: "failed", stopReason });
    assert.match(describeReason(failed), what);
    const said = adviseFailure(failed, false) ?? "";
    assert.match(said, advice);
    assert.match(said, /^[A-Z].*\.$/);
  });
}

test("failures: what only the operator can mend is said although another model was there; what has passed is not", () => {
  const advised = (stopReason: string): boolean =>
    adviseFailure(modelPass("openai:x", { outcome: "failed", stopReason }), true) !== null;
  for (const stays of ["HTTP 401", "HTTP 404", "no connection", "quota exceeded"])
    assert.equal(advised(stays), true, stays);
  for (const passed of ["HTTP 500", "connection lost", "context overflow", "no tool was used"])
    assert.equal(advised(passed), false, passed);
  assert.equal(
    adviseFailure(modelPass("a:x", { outcome: "overloaded", stopReason: "HTTP 529" }), true),
    null,
  );
});

test("failures: a ceiling is named, with where it is set; those of a time pass by themselves", () => {
  const advice = (stopReason: string): string =>
    adviseFailure(modelPass("a:x", { outcome: "stopped-by-budget", stopReason }), false) ?? "";
  assert.match(
    advice("budget.perRepositoryDayUsd is USD 1.00, USD 1.00 spent or set aside"),
    /^Ask again later, or raise KODIAI_BUDGET_REPOSITORY_DAY_USD where Kodiai runs \(USD 50 if unset\) or budget\.perRepositoryDayUsd in \.kodiai\.yml, whichever is lower, /,
  );
  assert.match(
    advice("the first call needs about USD 2.00; budget.perPullRequestUsd is USD 1.00, …"),
    /^Raise KODIAI_BUDGET_PULL_REQUEST_USD where Kodiai runs or budget\.perPullRequestUsd in /,
  );
  assert.match(
    advice("--budget-usd is USD 1.00, …"),
    /^Raise --budget-usd, or use a model that costs less\.$/,
  );
  assert.match(
    advice("a model without a known price may take 5,000,000 tokens"),
    /^Say what it costs under prices in \.kodiai\.yml, or in KODIAI_PRICES .* 0 for a server of your own/,
  );
});

test("failures: without a price, where to say it", () => {
  const unpaid = modelPass("a:x", { outcome: "stopped-by-budget", stopReason: PRICE_UNKNOWN, turns: 0 });
  for (const isMended of [true, false])
    assert.match(adviseFailure(unpaid, isMended) ?? "", /prices in \.kodiai\.yml, or in KODIAI_PRICES/);
});

test("failures: a word that nobody knows is said as it is, without advice", () => {
  const failed = modelPass("constructor:x", { outcome: "failed", stopReason: "constructor" });
  assert.equal(describeReason(failed), "constructor");
  assert.equal(adviseFailure(failed, false), null);
});

test("failures: on a command line, how to have the rest when the time was over", () => {
  assert.match(adviseRest("timeout-partial") ?? "", /timeoutSeconds.*review\.chunked.*--range/);
  for (const other of ["complete", "budget-partial", "model-failed", "stopped-partial"] as const)
    assert.equal(adviseRest(other), null);
});
