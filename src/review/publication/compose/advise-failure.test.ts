import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_BUDGETS } from "../../../config/default-budgets.ts";
import type { BudgetName } from "../../../model/budget-names.ts";
import { PlainStopReason, type StopReason } from "../../../model/stop-reason.ts";
import { adviseFailure, adviseRest } from "./advise-failure.ts";
import { describeStopReason } from "./describe-stop-reason.ts";

const http = (status: number): StopReason => ({ kind: "http-error", status });

const overBudget = (budget: BudgetName): StopReason => {
  return { kind: "over-budget", budget, limitUsd: 1, spentUsd: 1, neededUsd: 0.12 };
};

const CASES: readonly (readonly [model: string, reason: StopReason, words: string, advice: RegExp])[] = [
  ["anthropic:x", http(401), "HTTP 401: authentication failed", /^Check ANTHROPIC_API_KEY where/],
  ["claude:x", http(401), "HTTP 401: authentication failed", /ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN/],
  ["openai:x", http(403), "HTTP 403: authentication failed", /^Check OPENAI_API_KEY where/],
  ["google:x", http(401), "HTTP 401: authentication failed", /^Check GEMINI_API_KEY where/],
  ["compatible:x", http(401), "HTTP 401: authentication failed", /^Check KODIAI_COMPATIBLE_KEY where/],
  ["a:x", http(401), "HTTP 401: authentication failed", /^Check the model's key where/],
  [
    "openai:x",
    http(404),
    "HTTP 404: model not found",
    /model's name, and OPENAI_BASE_URL where.*, if set\.$/,
  ],
  ["compatible:x", http(404), "HTTP 404: model not found", /KODIAI_COMPATIBLE_URL where.*\/v1 at the end/],
  ["openai:x", http(400), "HTTP 400: request rejected", /supports tool calls/],
  ["openai:x", http(502), "HTTP 502: provider error", /^Try again later, or add another model/],
  ["openai:x", http(429), "HTTP 429: provider overloaded", /^Try again later, or add another model/],
  ["openai:x", http(529), "HTTP 529: provider overloaded", /^Try again later, or add another model/],
  [
    "compatible:x",
    { kind: "no-connection" },
    "no connection to the provider",
    /server is running and reachable at KODIAI_COMPATIBLE_URL/,
  ],
  [
    "google:x",
    { kind: "no-connection" },
    "no connection to the provider",
    /network where Kodiai runs, and GOOGLE_BASE_URL, if set\.$/,
  ],
  [
    "a:x",
    overBudget("perRepositoryDayUsd"),
    "the next call needs about USD 0.12; budget.perRepositoryDayUsd is USD 1.00, USD 1.00 spent or reserved",
    /^Try again later, or raise KODIAI_BUDGET_REPOSITORY_DAY_USD where Kodiai runs \(USD 50 if unset\) or budget\.perRepositoryDayUsd in \.kodiai\.yml, whichever is lower, /,
  ],
  [
    "a:x",
    overBudget("perPullRequestUsd"),
    "the next call needs about USD 0.12; budget.perPullRequestUsd is USD 1.00, USD 1.00 spent or reserved",
    /^Raise KODIAI_BUDGET_PULL_REQUEST_USD where Kodiai runs or budget\.perPullRequestUsd in /,
  ],
  [
    "a:x",
    overBudget("--budget-usd"),
    "the next call needs about USD 0.12; --budget-usd is USD 1.00, USD 1.00 spent or reserved",
    /^Raise --budget-usd, or use a cheaper model\.$/,
  ],
  [
    "a:x",
    { kind: "over-tokens", maxTokens: 5_000_000 },
    "a model without a known price may use 5,000,000 tokens",
    /^Set its price under prices in \.kodiai\.yml, or in KODIAI_PRICES .* \(0 for your own server\)/,
  ],
];

for (const [model, stopReason, words, advice] of CASES) {
  test(`stop reasons: ${model}, ${words}: the words and the advice`, () => {
    assert.equal(describeStopReason(stopReason), words);
    const text = adviseFailure({ model, stopReason }, false) ?? "";
    assert.match(text, advice);
    assert.match(text, /^[A-Z].*\.$/);
  });
}

/** The type makes sure that no reason is missing here. Null: there is nothing to do. */
const PLAIN: Readonly<Record<PlainStopReason, readonly [words: string, advice: RegExp | null]>> = {
  finished: ["finished", null],
  "end-of-turn": ["ended its turn", null],
  deadline: ["hit the time limit", null],
  stalled: ["the provider stopped responding", /^Try again later/],
  interrupted: ["interrupted by the user", null],
  "budget-exhausted": ["the budget is used up", /^Raise the budget/],
  "budget-unavailable": ["couldn't check the budget", /database/],
  "price-unknown": ["its price is unknown", /prices in \.kodiai\.yml, or in KODIAI_PRICES/],
  overloaded: ["provider overloaded", /^Try again later/],
  "no-connection": ["no connection to the provider", /^Check the network/],
  "connection-lost": ["connection lost", /proxy or gateway/],
  "quota-exceeded": ["the account has no credit left", /^Add credit/],
  "provider-error": ["the provider returned an error", /^Try again later/],
  "process-exited": ["the Claude Agent SDK process exited", /^Reinstall @anthropic-ai\/claude-agent-sdk/],
  refusal: ["declined to answer", /add another model to fallbackModels/],
  "turn-limit": ["hit the turn limit", /^Use another model/],
  "output-limit": ["hit the output limit", /^Use another model/],
  "context-overflow": [
    "the prompt exceeds its context window",
    /larger context window, or review the change in/,
  ],
  "empty-answer": ["the answer was empty", /tool calls/],
  "no-tool-calls": ["called no tool", /tool calls/],
  "not-finished": ["didn't finish the review, even after a reminder", /^Use another model/],
  "malformed-tool-calls": ["its tool calls were invalid", /tool calls/],
  "repeated-tool-calls": ["made the same tool call three times in a row", /^Use another model/],
  "too-many-tool-calls": ["made too many tool calls", /^Use another model/],
  "internal-error": ["Kodiai hit an internal error", /report it/],
  "not-recorded": ["not in the recording", null],
};

test("stop reasons: each has words, and advice where there is something to do", () => {
  assert.deepEqual(Object.keys(PLAIN).toSorted(), PlainStopReason.options.toSorted());
  for (const kind of PlainStopReason.options) {
    const [words, advice] = PLAIN[kind];
    assert.equal(describeStopReason({ kind }), words, kind);
    const text = adviseFailure({ model: "openai:x", stopReason: { kind } }, false);
    if (advice === null) assert.equal(text, null, kind);
    else assert.match(text ?? "", advice, kind);
  }
});

test("stop reasons: after a recovery only advice for the operator remains", () => {
  const isAdvised = (stopReason: StopReason): boolean =>
    adviseFailure({ model: "openai:x", stopReason }, true) !== null;
  const lasting: readonly StopReason[] = [
    http(401),
    http(404),
    http(400),
    { kind: "no-connection" },
    { kind: "quota-exceeded" },
    { kind: "process-exited" },
    { kind: "price-unknown" },
  ];
  for (const reason of lasting) assert.equal(isAdvised(reason), true, describeStopReason(reason));
  const passing: readonly StopReason[] = [
    http(500),
    http(529),
    { kind: "connection-lost" },
    { kind: "context-overflow" },
    { kind: "no-tool-calls" },
    overBudget("perReviewUsd"),
  ];
  for (const reason of passing) assert.equal(isAdvised(reason), false, describeStopReason(reason));
});

test("stop reasons: the advice for a budget names its default", () => {
  const advice = adviseFailure({ model: "a:x", stopReason: overBudget("perReviewUsd") }, false) ?? "";
  assert.ok(advice.includes(`(USD ${DEFAULT_BUDGETS.perReviewUsd} if unset)`), advice);
});

test("stop reasons: words of another version are shown unchanged, without advice", () => {
  const stopReason: StopReason = { kind: "other", text: "constructor" };
  assert.equal(describeStopReason(stopReason), "constructor");
  assert.equal(adviseFailure({ model: "constructor:x", stopReason }, false), null);
});

test("advice on the command line for a review that ran out of time", () => {
  assert.match(adviseRest("timeout-partial") ?? "", /timeoutSeconds.*review\.chunked.*--range/);
  for (const other of ["complete", "budget-partial", "model-failed", "stopped-partial"] as const)
    assert.equal(adviseRest(other), null);
});
