import assert from "node:assert/strict";
import { test } from "node:test";
import { type ModelTask, NO_STRAY_CALLS, type Tokens } from "../model.ts";
import { createLedger, type Ledger } from "./usage-counter.ts";

function createLedgerWithMeter(): { readonly ledger: Ledger; readonly added: readonly Tokens[] } {
  const added: Tokens[] = [];
  const task: ModelTask = {
    prompt: { system: "s".repeat(500), user: "u".repeat(1_000) },
    tools: [],
    strayCalls: NO_STRAY_CALLS,
    limits: { deadlineMs: 1, stallMs: 1, overloadMs: 1, maxTurns: 1, maxOutputTokens: 99 },
    meter: { admit: async ({ outputTokens }) => outputTokens, add: (tokens) => void added.push(tokens) },
    onEvent: () => {},
  };
  return { ledger: createLedger(task), added };
}

test("input is all that went in, from a cache or into one", () => {
  const { ledger, added } = createLedgerWithMeter();
  ledger.open({
    input_tokens: 10,
    cache_creation_input_tokens: 20,
    cache_read_input_tokens: 30,
    output_tokens: 1,
  });
  ledger.receive(3_500);
  ledger.update({ output_tokens: 7 });
  ledger.close();
  assert.deepEqual(added, [{ input: 60, cachedInput: 30, cacheWriteInput: 20, output: 7 }]);
  assert.deepEqual(ledger.tokens(), { input: 60, cachedInput: 30, cacheWriteInput: 20, output: 7 });
  assert.equal(ledger.turns(), 1);
});

test("counts that cannot be are not believed: nothing is given back, nothing grows beyond all measure", () => {
  const { ledger, added } = createLedgerWithMeter();
  ledger.open({ input_tokens: -5_000, cache_read_input_tokens: Number.POSITIVE_INFINITY, output_tokens: 3 });
  ledger.update({ output_tokens: 9 });
  ledger.update({ output_tokens: -1_000_000, input_tokens: 1e300 });
  ledger.close();
  assert.deepEqual(
    added.map(({ cachedInput, output }) => [cachedInput, output]),
    [[0, 9]],
  );
  assert.ok((added[0]?.input ?? 0) > 0 && (added[0]?.input ?? 0) < 10_000, JSON.stringify(added));
});

test("an answer that was cut is estimated from what came of it", () => {
  const { ledger, added } = createLedgerWithMeter();
  ledger.open({ input_tokens: 10, output_tokens: 1 });
  ledger.receive(350);
  ledger.close();
  ledger.close();
  assert.deepEqual(added, [{ input: 10, cachedInput: 0, output: 100 }]);
});

test("what the provider does not count is estimated, and what is admitted grows with the conversation", () => {
  const { ledger, added } = createLedgerWithMeter();
  const before = ledger.atMost();
  assert.equal(before.outputTokens, 99);
  ledger.open(undefined);
  ledger.receive(700);
  ledger.update({ output_tokens: null });
  ledger.close();
  ledger.grow(350);
  assert.deepEqual(added, [{ input: before.inputTokens, cachedInput: 0, output: 200 }]);
  assert.equal(ledger.atMost().inputTokens, before.inputTokens + 300);
});

test("what the program used besides is added at the end, and nothing is taken back", () => {
  const { ledger, added } = createLedgerWithMeter();
  ledger.open({ input_tokens: 10 });
  ledger.update({ output_tokens: 5 });
  ledger.close();
  ledger.settle({ input: 10, cachedInput: 0, output: 5 });
  ledger.settle({ input: 0, cachedInput: 0, output: 0 });
  assert.equal(added.length, 1);
  ledger.settle({ input: 30, cachedInput: 8, output: 6 });
  assert.deepEqual(added[1], { input: 20, cachedInput: 8, output: 1 });
});
