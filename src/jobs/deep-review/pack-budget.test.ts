import assert from "node:assert/strict";
import { test } from "node:test";
import { packBudget, packWindow } from "./pack-budget.ts";

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

test("the input follows the window of the model, unless it was chosen", () => {
  for (const [tokens, isSet, model, window] of [
    [272_000, false, "openai:gpt-5", 272_000],
    [272_000, false, "anthropic:claude-sonnet-4-5", 108_800],
    [272_000, true, "anthropic:claude-sonnet-4-5", 272_000],
    [20_000, true, "openai:gpt-5", 20_000],
  ] as const)
    assert.equal(packWindow({ tokens, isSet }, model), window, model);
});
