import assert from "node:assert/strict";
import { test } from "node:test";
import { packBudget } from "./pack-budget.ts";

test("the pack gets the window without the protocol, the question and a review's own prompt", () => {
  for (const [windowTokens, questionChars, isFindings, tokens] of [
    [272_000, 30, false, 272_000 - 12_000 - 2_048],
    [272_000, 6_144, false, 272_000 - 12_000 - 2_048],
    [272_000, 6_145, false, 272_000 - 12_000 - 2_049],
    [272_000, 30, true, 272_000 - 12_000 - 2_048 - 80_000],
    [10_000, 30, false, 1_000],
  ] as const)
    assert.equal(packBudget(windowTokens, { question: "?".repeat(questionChars), isFindings }), tokens);
});
