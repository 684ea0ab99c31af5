import assert from "node:assert/strict";
import { test } from "node:test";
import { KodiaiError } from "../base/errors.ts";
import { readModelSettings } from "./model-settings.ts";

type Environment = Readonly<Record<string, string>>;

function read(environment: Environment, dotEnv: string | null = null) {
  return readModelSettings({ environment, dotEnv, readText: () => null });
}

test("model settings: without variables there is no model, no budget and no recording", () => {
  assert.deepEqual(read({}), {
    model: null,
    access: {},
    claudeToken: null,
    budgets: {},
    limits: {},
    prices: {},
    concurrency: 12,
    recordsRuns: false,
  });
});

test("model settings: a key enables its provider, and ANTHROPIC_API_KEY enables both of Anthropic's", () => {
  const { access } = read({
    ANTHROPIC_API_KEY: "a",
    OPENAI_API_KEY: "o",
    OPENAI_BASE_URL: "https://proxy.example.org/v1/",
    GEMINI_API_KEY: "g",
    KODIAI_COMPATIBLE_URL: "http://127.0.0.1:11434/v1",
  });
  assert.deepEqual(access, {
    claude: { key: "a", baseUrl: null },
    anthropic: { key: "a", baseUrl: null },
    openai: { key: "o", baseUrl: "https://proxy.example.org/v1" },
    google: { key: "g", baseUrl: null },
    compatible: { key: null, baseUrl: "http://127.0.0.1:11434/v1" },
  });
});

test("model settings: a subscription token enables only the Claude Agent SDK", () => {
  const { access, claudeToken } = read({ CLAUDE_CODE_OAUTH_TOKEN: "t" });
  assert.deepEqual(
    { access, claudeToken },
    { access: { claude: { key: null, baseUrl: null } }, claudeToken: "t" },
  );
});

test("model settings: operator budgets and recording of runs", () => {
  const { budgets, recordsRuns } = read({
    KODIAI_BUDGET_REVIEW_USD: "0.5",
    KODIAI_BUDGET_INSTALLATION_MONTH_USD: "200",
    KODIAI_BUDGET_REPOSITORY_DAY_USD: "none",
    KODIAI_RECORD_RUNS: "on",
  });
  assert.deepEqual(
    { budgets, recordsRuns },
    {
      budgets: { perReviewUsd: 0.5, perRepositoryDayUsd: null, perInstallationMonthUsd: 200 },
      recordsRuns: true,
    },
  );
});

test("model settings: operator limits", () => {
  const { limits } = read({ KODIAI_LIMIT_STRANGERS_HOUR: "0", KODIAI_LIMIT_WRITERS_HOUR: "30" });
  assert.deepEqual(limits, { strangersPerHour: 0, writersPerHour: 30 });
});

test("model settings: operator prices", () => {
  const prices = { "compatible:qwen3": { inputUsd: 0.2, cachedInputUsd: 0.1, outputUsd: 0.8 } };
  assert.deepEqual(read({ KODIAI_PRICES: JSON.stringify(prices) }).prices, prices);
});

const INVALID: readonly (readonly [
  what: string,
  environment: Environment,
  dotEnv: string | null,
  message: RegExp,
])[] = [
  [
    "a budget that isn't an amount",
    { KODIAI_BUDGET_REVIEW_USD: "five" },
    null,
    /KODIAI_BUDGET_REVIEW_USD must be an amount/,
  ],
  ["a negative budget", { KODIAI_BUDGET_REVIEW_USD: "-1" }, null, /must be an amount/],
  [
    "a limit that isn't a number",
    { KODIAI_LIMIT_STRANGERS_HOUR: "few" },
    null,
    /KODIAI_LIMIT_STRANGERS_HOUR must be a whole/,
  ],
  [
    "a base URL that isn't a URL",
    { OPENAI_API_KEY: "o", OPENAI_BASE_URL: "proxy" },
    null,
    /OPENAI_BASE_URL must be a URL/,
  ],
  ["a price table that isn't JSON", { KODIAI_PRICES: "cheap" }, null, /KODIAI_PRICES must be JSON such as/],
  ["a price without `outputUsd`", { KODIAI_PRICES: '{"a:b":{"inputUsd":1}}' }, null, /must be JSON such as/],
  ["a negative price", { KODIAI_PRICES: '{"a:b":{"inputUsd":-1,"outputUsd":1}}' }, null, /must be JSON/],
  [
    "a value that isn't one of the choices",
    { KODIAI_RECORD_RUNS: "maybe" },
    null,
    /KODIAI_RECORD_RUNS must be one of on, off/,
  ],
  [
    "a base URL in .env for a key in the environment",
    { ANTHROPIC_API_KEY: "a" },
    "ANTHROPIC_BASE_URL=https://evil.example.org\n",
    /ANTHROPIC_BASE_URL is set in \.env, but ANTHROPIC_API_KEY is set in the environment/,
  ],
];

for (const [what, environment, dotEnv, message] of INVALID) {
  test(`model settings: ${what} is rejected`, () => {
    assert.throws(
      () => read(environment, dotEnv),
      (error: unknown) =>
        error instanceof KodiaiError && error.code === "config" && message.test(error.message),
    );
  });
}
