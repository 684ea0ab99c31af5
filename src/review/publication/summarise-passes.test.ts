import assert from "node:assert/strict";
import { test } from "node:test";
import { FLOOR_PASS, modelPass } from "../../../test/support/sample-publication.ts";
import type { Conclusion, PassReport } from "./publication.ts";
import { summarisePasses } from "./summarise-passes.ts";

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
      "a:x failed (connection lost); b:y was asked instead.",
      "b:y failed (HTTP 401): 2 findings that had been recorded until then are kept.",
    ],
  ],
  [
    "a lean prompt",
    [
      modelPass("a:x", { outcome: "failed", stopReason: "context overflow", turns: 0 }),
      modelPass("a:x", { step: "lean" }),
    ],
    "complete",
    ["a:x failed (context overflow); it was asked again with a shorter prompt."],
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
    ],
  ],
];

const UNPAID = { outcome: "stopped-by-budget", stopReason: "its price is not known", turns: 0 } as const;

for (const [name, passes, conclusion, notices] of [
  ...CASES,
  [
    "never paid for",
    [modelPass("a:x", UNPAID)],
    "budget-partial",
    [
      "a:x could not be asked within the budget (its price is not known): it had recorded nothing, so what is told of the change comes from the deterministic rules.",
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
  });
  assert.equal(summarisePasses([...passes, modelPass("c:z", { costUsd: null })]).usage?.costUsd, null);
});

test("passes: a model whose answer broke off before it found anything is paid for, and did not review", () => {
  const broken = modelPass("a:x", { outcome: "failed", stopReason: "connection lost" });
  const { reviewer, usage } = summarisePasses([broken, modelPass("b:y")]);
  assert.deepEqual([reviewer, usage?.model], ["b:y", "a:x and b:y"]);
  assert.equal(summarisePasses([{ ...broken, findings: 1 }]).reviewer, "a:x");
});

test("passes: a model that never answered did not review", () => {
  const passes = [modelPass("a:x", { outcome: "failed", stopReason: "HTTP 401", turns: 0 })];
  const { reviewer, usage } = summarisePasses(passes);
  assert.deepEqual({ reviewer, usage }, { reviewer: "floor", usage: null });
});
