import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelTask, Tokens } from "../model.ts";
import { NO_STRAY_CALLS } from "../../../test/support/no-stray-calls.ts";
import { createUsageCounter, type UsageCounter } from "./usage-counter.ts";

function createLedgerWithMeter(): { readonly usage: UsageCounter; readonly added: readonly Tokens[] } {
  const added: Tokens[] = [];
  const task: ModelTask = {
    prompt: { system: "s".repeat(500), user: "u".repeat(1_000) },
    tools: [],
    strayCalls: NO_STRAY_CALLS,
    limits: { deadlineMs: 1, stallMs: 1, overloadMs: 1, maxTurns: 1, maxOutputTokens: 99 },
    meter: { admit: async ({ outputTokens }) => outputTokens, add: (tokens) => void added.push(tokens) },
    onEvent: () => {},
  };
  return { usage: createUsageCounter(task), added };
}

test("input is all that went in, from a cache or into one", () => {
  const { usage, added } = createLedgerWithMeter();
  usage.open({
    input_tokens: 10,
    cache_creation_input_tokens: 20,
    cache_read_input_tokens: 30,
    output_tokens: 1,
  });
  usage.receive(3_500);
  usage.update({ output_tokens: 7 });
  usage.close();
  assert.deepEqual(added, [{ input: 60, cachedInput: 30, cacheWriteInput: 20, output: 7 }]);
  assert.deepEqual(usage.tokens(), { input: 60, cachedInput: 30, cacheWriteInput: 20, output: 7 });
  assert.equal(usage.turns(), 1);
});

test("counts that cannot be are not believed: nothing is given back, nothing grows beyond all measure", () => {
  const { usage, added } = createLedgerWithMeter();
  usage.open({ input_tokens: -5_000, cache_read_input_tokens: Number.POSITIVE_INFINITY, output_tokens: 3 });
  usage.update({ output_tokens: 9 });
  usage.update({ output_tokens: -1_000_000, input_tokens: 1e300 });
  usage.close();
  assert.deepEqual(
    added.map(({ cachedInput, output }) => [cachedInput, output]),
    [[0, 9]],
  );
  assert.ok((added[0]?.input ?? 0) > 0 && (added[0]?.input ?? 0) < 10_000, JSON.stringify(added));
});

test("an answer that was cut is estimated from what came of it", () => {
  const { usage, added } = createLedgerWithMeter();
  usage.open({ input_tokens: 10, output_tokens: 1 });
  usage.receive(350);
  usage.close();
  usage.close();
  assert.deepEqual(added, [{ input: 10, cachedInput: 0, output: 100 }]);
});

test("missing usage is estimated, and the admitted size grows with the conversation", () => {
  const { usage, added } = createLedgerWithMeter();
  const before = usage.atMost();
  assert.equal(before.outputTokens, 99);
  usage.open(undefined);
  usage.receive(700);
  usage.update({ output_tokens: null });
  usage.close();
  usage.grow(350);
  assert.deepEqual(added, [{ input: before.inputTokens, cachedInput: 0, output: 200 }]);
  assert.equal(usage.atMost().inputTokens, before.inputTokens + 300);
});

test("unreported usage of the program is added at the end, and nothing is subtracted", () => {
  const { usage, added } = createLedgerWithMeter();
  usage.open({ input_tokens: 10 });
  usage.update({ output_tokens: 5 });
  usage.close();
  usage.settle({ input: 10, cachedInput: 0, output: 5 });
  usage.settle({ input: 0, cachedInput: 0, output: 0 });
  assert.equal(added.length, 1);
  usage.settle({ input: 30, cachedInput: 8, output: 6 });
  assert.deepEqual(added[1], { input: 20, cachedInput: 8, output: 1 });
});
