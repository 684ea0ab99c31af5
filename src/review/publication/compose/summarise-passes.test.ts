import assert from "node:assert/strict";
import { test } from "node:test";
import { FLOOR_PASS, modelPass } from "../../../../test/support/sample-publication.ts";
import type { Conclusion, PassReport } from "../publication.ts";
import { summarisePasses } from "./summarise-passes.ts";
import { describeUsage } from "../words.ts";

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
    [modelPass("a:x", { outcome: "timed-out", stopReason: "deadline", findings: 2, ms: 600_400 })],
    "timeout-partial",
    ["a:x ran out of time after 600 seconds: 2 findings that it had recorded until then are kept."],
  ],
  [
    "time over with nothing",
    [modelPass("a:x", { outcome: "timed-out", stopReason: "stalled" })],
    "timeout-partial",
    [
      "a:x stopped answering: it had recorded nothing, so what is told of the change comes from the deterministic rules.",
      "Try again later, or name another model in fallbackModels of .kodiai.yml.",
    ],
  ],
  [
    "time over with nothing, and the riskiest half",
    [
      modelPass("a:x", { outcome: "timed-out", stopReason: "deadline", ms: 30_000 }),
      modelPass("a:x", { step: "reduced", findings: 1 }),
    ],
    "timeout-partial",
    ["a:x ran out of time after 30 seconds; the riskiest half was tried again."],
  ],
  [
    "another model instead",
    [modelPass("a:x", { outcome: "overloaded", stopReason: "HTTP 529", turns: 0 }), modelPass("b:y")],
    "complete",
    ["a:x was overloaded; b:y was asked instead."],
  ],
  [
    "what the first had recorded, when the second fails too",
    [
      modelPass("a:x", { outcome: "failed", stopReason: "connection lost", findings: 2 }),
      modelPass("b:y", { outcome: "failed", stopReason: "HTTP 401", turns: 0 }),
    ],
    "model-failed",
    [
      "a:x failed (the connection was lost); b:y was asked instead.",
      "Try again; if it stays so, look at what is in between: a proxy or gateway may end long answers.",
      "b:y failed (its provider does not accept the key, HTTP 401): 2 findings that had been recorded until then are kept.",
      "Check the key of the model where Kodiai runs: it must be valid, and allowed to use this model.",
    ],
  ],
  [
    "a lean prompt",
    [
      modelPass("a:x", { outcome: "failed", stopReason: "context overflow", turns: 0 }),
      modelPass("a:x", { step: "lean" }),
    ],
    "complete",
    ["a:x failed (the prompt is longer than its window); it was asked again with a shorter prompt."],
  ],
  [
    "one of three parts fails",
    [
      modelPass("a:x", { name: "part 1 of 3" }),
      modelPass("a:x", { name: "part 2 of 3", outcome: "refused", stopReason: "refusal" }),
      modelPass("a:x", { name: "part 3 of 3" }),
    ],
    "model-failed",
    [
      "a:x refused to review in part 2 of 3: it had recorded nothing, so what is told of that part comes from the deterministic rules.",
      "For what this one will not read, name another model in fallbackModels of .kodiai.yml.",
    ],
  ],
  [
    "no money",
    [
      modelPass("a:x", {
        outcome: "stopped-by-budget",
        stopReason: "budget.perReviewUsd is USD 0.50",
        findings: 1,
      }),
    ],
    "budget-partial",
    [
      "a:x was stopped by the budget (budget.perReviewUsd is USD 0.50): 1 finding that it had recorded until then is kept.",
      "Raise KODIAI_BUDGET_REVIEW_USD where Kodiai runs (USD 2 if unset) or budget.perReviewUsd in .kodiai.yml, whichever is lower, or use a model that costs less.",
    ],
  ],
  [
    "stopped by hand after two findings",
    [modelPass("a:x", { outcome: "stopped", stopReason: "by hand", findings: 2, ms: 12_400 })],
    "stopped-partial",
    ["a:x was stopped by hand after 12 seconds: 2 findings that it had recorded until then are kept."],
  ],
  [
    "stopped by hand with nothing",
    [modelPass("a:x", { outcome: "stopped", stopReason: "by hand", turns: 0, ms: 900 })],
    "stopped-partial",
    [
      "a:x was stopped by hand after 1 second: it had recorded nothing, so what is told of the change comes from the deterministic rules.",
    ],
  ],
  [
    "stopped by hand while the riskiest half was tried, after another part had failed",
    [
      modelPass("a:x", { name: "part 1 of 2", outcome: "failed", stopReason: "HTTP 401", turns: 0 }),
      modelPass("a:x", { name: "part 2 of 2", outcome: "timed-out", stopReason: "deadline", ms: 30_000 }),
      modelPass("a:x", {
        name: "part 2 of 2",
        step: "reduced",
        outcome: "stopped",
        stopReason: "by hand",
        findings: 1,
        ms: 5_000,
      }),
    ],
    "stopped-partial",
    [
      "a:x ran out of time after 30 seconds in part 2 of 2; the riskiest half was tried again.",
      "a:x failed (its provider does not accept the key, HTTP 401) in part 1 of 2: it had recorded nothing, so what is told of that part comes from the deterministic rules.",
      "Check the key of the model where Kodiai runs: it must be valid, and allowed to use this model.",
      "a:x was stopped by hand after 5 seconds with the riskiest half in part 2 of 2: 1 finding that it had recorded until then is kept.",
    ],
  ],
];

const SILENT = { outcome: "failed", stopReason: "no tool was used", turns: 1 } as const;
const NO_MONEY = {
  outcome: "stopped-by-budget",
  stopReason: "--budget-usd is USD 0.00, USD 0.00 spent or set aside",
  turns: 0,
} as const;
const UNPAID = { outcome: "stopped-by-budget", stopReason: "its price is not known", turns: 0 } as const;

for (const [name, passes, conclusion, notices] of [
  ...CASES,
  [
    "never paid for",
    [modelPass("a:x", UNPAID)],
    "budget-partial",
    [
      "a:x could not be asked within the budget (its price is not known): it had recorded nothing, so what is told of the change comes from the deterministic rules.",
      "Say what it costs under prices in .kodiai.yml, or in KODIAI_PRICES where Kodiai runs, which alone counts where the operator has set ceilings.",
    ],
  ] as const,
  [
    "never paid for, and another one instead",
    [modelPass("a:x", UNPAID), modelPass("b:y")],
    "complete",
    [
      "a:x could not be asked within the budget (its price is not known); b:y was asked instead.",
      "Say what it costs under prices in .kodiai.yml, or in KODIAI_PRICES where Kodiai runs, which alone counts where the operator has set ceilings.",
    ],
  ] as const,
  [
    "too dear, with a long prompt and a short one: it was never asked, and that is said once",
    [modelPass("a:x", NO_MONEY), modelPass("a:x", { ...NO_MONEY, step: "lean" })],
    "budget-partial",
    [
      "a:x could not be asked within the budget (--budget-usd is USD 0.00, USD 0.00 spent or set aside), nor with a shorter prompt: it had recorded nothing, so what is told of the change comes from the deterministic rules.",
      "Raise --budget-usd, or use a model that costs less.",
    ],
  ] as const,
  [
    "too long a prompt, and no money for a shorter one",
    [
      modelPass("a:x", { outcome: "failed", stopReason: "context overflow", turns: 0 }),
      modelPass("a:x", { ...NO_MONEY, step: "lean" }),
    ],
    "budget-partial",
    [
      "a:x failed (the prompt is longer than its window).",
      "Use a model with a larger window, or review the change in smaller parts.",
      "a:x could not be asked within the budget (--budget-usd is USD 0.00, USD 0.00 spent or set aside) with a shorter prompt: it had recorded nothing, so what is told of the change comes from the deterministic rules.",
      "Raise --budget-usd, or use a model that costs less.",
    ],
  ] as const,
  [
    "the same failure with a short prompt is said once",
    [modelPass("a:x", SILENT), modelPass("a:x", { ...SILENT, step: "lean" })],
    "model-failed",
    [
      "a:x failed (it used no tool), also with a shorter prompt: it had recorded nothing, so what is told of the change comes from the deterministic rules.",
      "Findings are recorded by tools: use a model that can call them, on a server that lets it.",
    ],
  ] as const,
  [
    "the first, another one, the first again: each as it was",
    [
      modelPass("a:x", { outcome: "failed", stopReason: "connection lost" }),
      modelPass("b:y", { outcome: "overloaded", stopReason: "HTTP 529" }),
      modelPass("a:x", { step: "lean" }),
    ],
    "complete",
    [
      "a:x failed (the connection was lost); b:y was asked instead.",
      "b:y was overloaded; a:x was asked instead with a shorter prompt.",
    ],
  ] as const,
  [
    "the same failure in two of three parts is said once",
    [
      modelPass("a:x", { name: "part 1 of 3", outcome: "failed", stopReason: "HTTP 500" }),
      modelPass("a:x", { name: "part 2 of 3" }),
      modelPass("a:x", { name: "part 3 of 3", outcome: "failed", stopReason: "HTTP 500" }),
    ],
    "model-failed",
    [
      "a:x failed (its provider failed, HTTP 500) in part 1 of 3 and part 3 of 3: it had recorded nothing, so what is told of those parts comes from the deterministic rules.",
      "Try again later, or name another model in fallbackModels of .kodiai.yml.",
    ],
  ] as const,
]) {
  test(`passes: ${name}`, () => {
    const summary = summarisePasses([FLOOR_PASS, ...passes]);
    assert.deepEqual({ conclusion: summary.conclusion, notices: summary.notices }, { conclusion, notices });
  });
}

test("passes: what all attempts used is added up; a price that is not known makes the sum unknown", () => {
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
  const broken = modelPass("a:x", { outcome: "failed", stopReason: "connection lost" });
  const { reviewer, usage } = summarisePasses([broken, modelPass("b:y")]);
  assert.deepEqual([reviewer, usage?.model], ["b:y", "a:x and b:y"]);
  assert.equal(summarisePasses([{ ...broken, findings: 1 }]).reviewer, "a:x");
});

test("passes: what an attempt may have cost that died is told beside what the others cost", () => {
  const { usage } = summarisePasses([modelPass("a:x")], 0.12);
  assert.ok(usage !== null);
  assert.deepEqual([usage.costUsd, usage.cutOffUsd], [0.0421, 0.12]);
  assert.match(describeUsage(usage), /, USD 0\.0421, and up to USD 0\.12 for work that was cut off$/);
  const silent = modelPass("a:x", { outcome: "failed", stopReason: "HTTP 401", turns: 0, costUsd: 0 });
  const { reviewer, usage: died } = summarisePasses([silent], 0.12);
  assert.deepEqual([reviewer, died?.model, died?.cutOffUsd], ["floor", "a:x", 0.12]);
});

test("passes: a model that never answered did not review", () => {
  const passes = [modelPass("a:x", { outcome: "failed", stopReason: "HTTP 401", turns: 0 })];
  const { reviewer, usage } = summarisePasses(passes);
  assert.deepEqual({ reviewer, usage }, { reviewer: "floor", usage: null });
});
