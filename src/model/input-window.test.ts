import assert from "node:assert/strict";
import { test } from "node:test";
import { inputWindowOf } from "./input-window.ts";

test("the input of a model leaves room for its answer, and for a vocabulary with more tokens", () => {
  for (const [model, tokens] of [
    ["openai:gpt-5", 336_000],
    ["openai:gpt-4.1-mini", 983_576],
    ["anthropic:claude-sonnet-4-5", 108_800],
    ["claude-agent:claude-sonnet-4-5[1m]", 748_800],
    ["compatible:anthropic/claude-opus-4-5", 108_800],
    ["google:gemini-2.5-pro", 787_660],
    ["compatible:some-model", 51_200],
  ] as const)
    assert.equal(inputWindowOf(model, 64_000), tokens, model);
});
