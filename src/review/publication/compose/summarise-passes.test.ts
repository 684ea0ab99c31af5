import assert from "node:assert/strict";
import { test } from "node:test";
import { FLOOR_PASS, modelPass } from "../../../../test/support/sample-publication.ts";
import type { OverBudget } from "../../../model/stop-reason.ts";
import type { Conclusion, PassReport } from "../publication.ts";
import { summarisePasses } from "./summarise-passes.ts";
import { describeUsage } from "../describe-details.ts";

const OVER_BUDGET: OverBudget = {
  kind: "over-budget",
  budget: "--budget-usd",
  limitUsd: 0,
  spentUsd: 0,
  neededUsd: 0.12,
};

const CASES: readonly (readonly [
  name: string,
  passes: readonly PassReport[],
  conclusion: Conclusion,
  notices: readonly string[],
])[] = [
  ["the floor alone", [], "complete", []],
  ["a model to its end", [modelPass("a:x")], "complete", []],
  [
    "time over after two findings",
    [modelPass("a:x", { outcome: "timed-out", stopReason: { kind: "deadline" }, findings: 2, ms: 600_400 })],
    "timeout-partial",
    ["a:x ran out of time after 600 seconds: 2 findings recorded until then are kept."],
  ],
  [
    "time over with nothing",
    [modelPass("a:x", { outcome: "timed-out", stopReason: { kind: "stalled" } })],
    "timeout-partial",
    [
      "a:x stopped responding: it recorded nothing, so only the built-in rules reviewed the change.",
      "Try again later, or add another model to fallbackModels in .kodiai.yml.",
    ],
  ],
  [
    "time over with nothing, and the riskiest half",
    [
      modelPass("a:x", { outcome: "timed-out", stopReason: { kind: "deadline" }, ms: 30_000 }),
      modelPass("a:x", { step: "reduced", findings: 1 }),
    ],
    "timeout-partial",
    ["a:x ran out of time after 30 seconds; Kodiai retried with the riskiest half."],
  ],
  [
    "another model instead",
    [
      modelPass("a:x", { outcome: "overloaded", stopReason: { kind: "http-error", status: 529 }, turns: 0 }),
      modelPass("b:y"),
    ],
    "complete",
    ["a:x was overloaded; Kodiai used b:y instead."],
  ],
  [
    "what the first had recorded, when the second fails too",
    [
      modelPass("a:x", { outcome: "failed", stopReason: { kind: "connection-lost" }, findings: 2 }),
      modelPass("b:y", { outcome: "failed", stopReason: { kind: "http-error", status: 401 }, turns: 0 }),
    ],
    "model-failed",
    [
      "a:x failed (connection lost); Kodiai used b:y instead.",
      "Try again. If it keeps failing, check for a proxy or gateway that cuts long answers.",
      "b:y failed (HTTP 401: authentication failed): 2 findings recorded until then are kept.",
      "Check the model's key where Kodiai runs: it must be valid and allowed to use this model.",
    ],
  ],
  [
    "a lean prompt",
    [
      modelPass("a:x", { outcome: "failed", stopReason: { kind: "context-overflow" }, turns: 0 }),
      modelPass("a:x", { step: "lean" }),
    ],
    "complete",
    ["a:x failed (the prompt exceeds its context window); Kodiai retried it with a shorter prompt."],
  ],
  [
    "one of three parts fails",
    [
      modelPass("a:x", { name: "part 1 of 3" }),
      modelPass("a:x", { name: "part 2 of 3", outcome: "refused", stopReason: { kind: "refusal" } }),
      modelPass("a:x", { name: "part 3 of 3" }),
    ],
    "model-failed",
    [
      "a:x declined to review in part 2 of 3: it recorded nothing, so only the built-in rules reviewed that part.",
      "For code that this model declines to review, add another model to fallbackModels in .kodiai.yml.",
    ],
  ],
  [
    "no money",
    [
      modelPass("a:x", {
        outcome: "stopped-by-budget",
        stopReason: { ...OVER_BUDGET, budget: "perReviewUsd", limitUsd: 0.5, spentUsd: 0.4 },
        findings: 1,
      }),
    ],
    "budget-partial",
    [
      "a:x was stopped by the budget (the next call needs about USD 0.12; budget.perReviewUsd is USD 0.50, USD 0.40 spent or reserved): 1 finding recorded until then is kept.",
      "Raise KODIAI_BUDGET_REVIEW_USD where Kodiai runs (USD 2 if unset) or budget.perReviewUsd in .kodiai.yml, whichever is lower, or use a cheaper model.",
    ],
  ],
  [
    "interrupted after two findings",
    [modelPass("a:x", { outcome: "stopped", stopReason: { kind: "interrupted" }, findings: 2, ms: 12_400 })],
    "stopped-partial",
    ["a:x was interrupted after 12 seconds: 2 findings recorded until then are kept."],
  ],
  [
    "interrupted with nothing",
    [modelPass("a:x", { outcome: "stopped", stopReason: { kind: "interrupted" }, turns: 0, ms: 900 })],
    "stopped-partial",
    [
      "a:x was interrupted after 1 second: it recorded nothing, so only the built-in rules reviewed the change.",
    ],
  ],
  [
    "interrupted while the riskiest half was tried, after another part had failed",
    [
      modelPass("a:x", {
        name: "part 1 of 2",
        outcome: "failed",
        stopReason: { kind: "http-error", status: 401 },
        turns: 0,
      }),
      modelPass("a:x", {
        name: "part 2 of 2",
        outcome: "timed-out",
        stopReason: { kind: "deadline" },
        ms: 30_000,
      }),
      modelPass("a:x", {
        name: "part 2 of 2",
        step: "reduced",
        outcome: "stopped",
        stopReason: { kind: "interrupted" },
        findings: 1,
        ms: 5_000,
      }),
    ],
    "stopped-partial",
    [
      "a:x ran out of time after 30 seconds in part 2 of 2; Kodiai retried with the riskiest half.",
      "a:x failed (HTTP 401: authentication failed) in part 1 of 2: it recorded nothing, so only the built-in rules reviewed that part.",
      "Check the model's key where Kodiai runs: it must be valid and allowed to use this model.",
      "a:x was interrupted after 5 seconds with the riskiest half in part 2 of 2: 1 finding recorded until then is kept.",
    ],
  ],
];

const SILENT = { outcome: "failed", stopReason: { kind: "no-tool-calls" }, turns: 1 } as const;
const NO_MONEY = {
  outcome: "stopped-by-budget",
  stopReason: OVER_BUDGET,
  turns: 0,
} as const;
const UNPAID = { outcome: "stopped-by-budget", stopReason: { kind: "price-unknown" }, turns: 0 } as const;

for (const [name, passes, conclusion, notices] of [
  ...CASES,
  [
    "never paid for",
    [modelPass("a:x", UNPAID)],
    "budget-partial",
    [
      "a:x wasn't called because of the budget (its price is unknown): it recorded nothing, so only the built-in rules reviewed the change.",
      "Set its price under prices in .kodiai.yml, or in KODIAI_PRICES where Kodiai runs. If the operator has set budgets, only KODIAI_PRICES counts.",
    ],
  ] as const,
  [
    "never paid for, and another one instead",
    [modelPass("a:x", UNPAID), modelPass("b:y")],
    "complete",
    [
      "a:x wasn't called because of the budget (its price is unknown); Kodiai used b:y instead.",
      "Set its price under prices in .kodiai.yml, or in KODIAI_PRICES where Kodiai runs. If the operator has set budgets, only KODIAI_PRICES counts.",
    ],
  ] as const,
  [
    "too dear, with a long prompt and a short one: it was never asked, and that is said once",
    [
      modelPass("a:x", NO_MONEY),
      modelPass("a:x", { ...NO_MONEY, stopReason: { ...OVER_BUDGET, neededUsd: 0.1 }, step: "lean" }),
    ],
    "budget-partial",
    [
      "a:x wasn't called because of the budget (the next call needs about USD 0.10; --budget-usd is USD 0.00, USD 0.00 spent or reserved), even with a shorter prompt: it recorded nothing, so only the built-in rules reviewed the change.",
      "Raise --budget-usd, or use a cheaper model.",
    ],
  ] as const,
  [
    "too long a prompt, and no money for a shorter one",
    [
      modelPass("a:x", { outcome: "failed", stopReason: { kind: "context-overflow" }, turns: 0 }),
      modelPass("a:x", { ...NO_MONEY, step: "lean" }),
    ],
    "budget-partial",
    [
      "a:x failed (the prompt exceeds its context window).",
      "Use a model with a larger context window, or review the change in smaller parts.",
      "a:x wasn't called because of the budget (the next call needs about USD 0.12; --budget-usd is USD 0.00, USD 0.00 spent or reserved) with a shorter prompt: it recorded nothing, so only the built-in rules reviewed the change.",
      "Raise --budget-usd, or use a cheaper model.",
    ],
  ] as const,
  [
    "the same failure with a short prompt is said once",
    [modelPass("a:x", SILENT), modelPass("a:x", { ...SILENT, step: "lean" })],
    "model-failed",
    [
      "a:x failed (called no tool), even with a shorter prompt: it recorded nothing, so only the built-in rules reviewed the change.",
      "Models record findings with tool calls: use a model that supports them, on a server that allows them.",
    ],
  ] as const,
  [
    "the first, another one, the first again: each as it was",
    [
      modelPass("a:x", { outcome: "failed", stopReason: { kind: "connection-lost" } }),
      modelPass("b:y", { outcome: "overloaded", stopReason: { kind: "http-error", status: 529 } }),
      modelPass("a:x", { step: "lean" }),
    ],
    "complete",
    [
      "a:x failed (connection lost); Kodiai used b:y instead.",
      "b:y was overloaded; Kodiai used a:x instead with a shorter prompt.",
    ],
  ] as const,
  [
    "the same failure in two of three parts is said once",
    [
      modelPass("a:x", {
        name: "part 1 of 3",
        outcome: "failed",
        stopReason: { kind: "http-error", status: 500 },
      }),
      modelPass("a:x", { name: "part 2 of 3" }),
      modelPass("a:x", {
        name: "part 3 of 3",
        outcome: "failed",
        stopReason: { kind: "http-error", status: 500 },
      }),
    ],
    "model-failed",
    [
      "a:x failed (HTTP 500: provider error) in part 1 of 3 and part 3 of 3: it recorded nothing, so only the built-in rules reviewed those parts.",
      "Try again later, or add another model to fallbackModels in .kodiai.yml.",
    ],
  ] as const,
]) {
  test(`passes: ${name}`, () => {
    const summary = summarisePasses([FLOOR_PASS, ...passes]);
    assert.deepEqual({ conclusion: summary.conclusion, notices: summary.notices }, { conclusion, notices });
  });
}

test("passes: the usage of all attempts is added up; an unknown price makes the sum unknown", () => {
  const passes = [FLOOR_PASS, modelPass("a:x"), modelPass("b:y", { name: "part 2 of 2" })];
  assert.deepEqual(summarisePasses(passes).usage, {
    model: "a:x and b:y",
    turns: 6,
    inputTokens: 24_690,
    cachedInputTokens: 16_000,
    outputTokens: 1_356,
    costUsd: 0.0842,
    cutOffUsd: 0,
  });
  assert.equal(summarisePasses([...passes, modelPass("c:z", { costUsd: null })]).usage?.costUsd, null);
});

test("passes: a model whose answer broke off before it found anything is paid for, and did not review", () => {
  const broken = modelPass("a:x", { outcome: "failed", stopReason: { kind: "connection-lost" } });
  const { reviewer, usage } = summarisePasses([broken, modelPass("b:y")]);
  assert.deepEqual([reviewer, usage?.model], ["b:y", "a:x and b:y"]);
  assert.equal(summarisePasses([{ ...broken, findings: 1 }]).reviewer, "a:x");
});

test("passes: the possible cost of a crashed attempt is shown next to the cost of the others", () => {
  const { usage } = summarisePasses([modelPass("a:x")], 0.12);
  assert.ok(usage !== null);
  assert.deepEqual([usage.costUsd, usage.cutOffUsd], [0.0421, 0.12]);
  assert.match(describeUsage(usage), /, USD 0\.0421, plus up to USD 0\.12 for interrupted calls$/);
  const silent = modelPass("a:x", {
    outcome: "failed",
    stopReason: { kind: "http-error", status: 401 },
    turns: 0,
    costUsd: 0,
  });
  const { reviewer, usage: died } = summarisePasses([silent], 0.12);
  assert.deepEqual([reviewer, died?.model, died?.cutOffUsd], ["floor", "a:x", 0.12]);
});

test("passes: a model that never answered did not review", () => {
  const passes = [
    modelPass("a:x", { outcome: "failed", stopReason: { kind: "http-error", status: 401 }, turns: 0 }),
  ];
  const { reviewer, usage } = summarisePasses(passes);
  assert.deepEqual({ reviewer, usage }, { reviewer: "floor", usage: null });
});
