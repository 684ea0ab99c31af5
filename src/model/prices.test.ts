import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_MODELS } from "./default-models.ts";
import { atMostUsd, costUsd, estimateUsd, PRICES, priceOf } from "./prices.ts";

test("a price is found by provider and name, with dates and aliases", () => {
  const sonnet = PRICES["claude-sonnet-4-5"];
  assert.deepEqual(sonnet, { inputUsd: 3, cachedInputUsd: 0.3, outputUsd: 15, cacheWriteUsd: 3.75 });
  const same = [
    "anthropic:claude-sonnet-4-5",
    "anthropic:claude-sonnet-4-5-20250929",
    "claude:claude-sonnet-4-5",
    "claude:claude-sonnet-4-5[1m]",
    "claude:claude-sonnet-4-5-20250929[1m]",
  ];
  for (const id of same) assert.equal(priceOf(id, {}), sonnet, id);
  assert.equal(priceOf("anthropic:claude-opus-4-20250514", {}), PRICES["claude-opus-4-0"]);
  assert.equal(priceOf("openai:gpt-5-mini-2025-08-07", {}), PRICES["gpt-5-mini"]);
  assert.equal(priceOf("google:gemini-2.5-pro", {})?.long?.inputUsd, 2.5);
});

test("an unlisted model has no price", () => {
  const unknown = [
    "openai:gpt-99",
    "compatible:gpt-5",
    "gpt-5",
    "anthropic:",
    "",
    "openai:constructor",
    "openai:__proto__",
    "anthropic:claude-sonnet-4-5-preview",
    "google:gemini-flash-latest",
  ];
  for (const id of unknown) assert.equal(priceOf(id, {}), null, id);
});

test("a dearer price of the configuration beats the table, and a server of one's own has no other", () => {
  const overrides = {
    "compatible:qwen": { inputUsd: 0.1, outputUsd: 0.2 },
    "openai:gpt-5": { inputUsd: 2, cachedInputUsd: 1, outputUsd: 20 },
  };
  assert.deepEqual(priceOf("compatible:qwen", overrides), {
    inputUsd: 0.1,
    cachedInputUsd: 0.1,
    outputUsd: 0.2,
  });
  assert.deepEqual(priceOf("openai:gpt-5", overrides), { inputUsd: 2, cachedInputUsd: 1, outputUsd: 20 });
  assert.equal(priceOf("anthropic:gpt-5", overrides), PRICES["gpt-5"]);
});

test("about a model that no table has, the operator is believed, and a repository where no ceiling of others depends on it", () => {
  const cheap = { "compatible:qwen": { inputUsd: 0, outputUsd: 0 } };
  const ours = { "compatible:qwen": { inputUsd: 1, outputUsd: 2 } };
  const price = { inputUsd: 1, cachedInputUsd: 1, outputUsd: 2 };
  assert.equal(priceOf("compatible:qwen", cheap)?.inputUsd, 0);
  assert.equal(priceOf("compatible:qwen", cheap, { prices: {}, hasCeilings: true }), null);
  assert.deepEqual(priceOf("compatible:qwen", cheap, { prices: ours, hasCeilings: true }), price);
  assert.deepEqual(priceOf("compatible:qwen", {}, { prices: ours, hasCeilings: false }), price);
});

test("a repository can't lower the price of a model, which would lift the operator's budgets", () => {
  const free = { inputUsd: 0, cachedInputUsd: 0, outputUsd: 0 };
  for (const name of ["claude-haiku-5-5", "gpt-6.1-sol", "gemini-2.5-pro", "gpt-5"])
    assert.deepEqual(priceOf(`openai:${name}`, { [`openai:${name}`]: free }), PRICES[name], name);
  const dear = priceOf("google:gemini-2.5-pro", {
    "google:gemini-2.5-pro": { inputUsd: 2, cachedInputUsd: 0, outputUsd: 0 },
  });
  assert.deepEqual(
    [dear?.inputUsd, dear?.outputUsd, dear?.long?.inputUsd, dear?.long?.outputUsd],
    [2, 10, 2.5, 15],
  );
});

test("the cost of a call depends on its tokens; cached and written ones have their own price", () => {
  const price = PRICES["claude-sonnet-4-5"];
  assert.ok(price !== undefined);
  const million = 1_000_000;
  assert.equal(costUsd({ input: million, cachedInput: 0, output: 0 }, price), 3);
  assert.equal(costUsd({ input: million, cachedInput: million, output: million }, price), 15.3);
  assert.equal(costUsd({ input: million, cachedInput: 0, cacheWriteInput: million, output: 0 }, price), 3.75);
  // A provider that counts more from its cache than went in does not make a call cheaper than nothing.
  assert.equal(costUsd({ input: 0, cachedInput: million, output: 0 }, price), 0);
  assert.equal(atMostUsd({ inputTokens: million, outputTokens: million }, price), 18.75);
  assert.equal(estimateUsd({ inputSize: 3.5 * million, outputTokens: 0, price }), 3.75);
});

test("a long call costs its own rates for all of it", () => {
  const price = PRICES["gpt-6.1-sol"];
  assert.ok(price !== undefined);
  assert.equal(costUsd({ input: 272_000, cachedInput: 272_000, output: 0 }, price), 0.027_2);
  assert.equal(
    costUsd({ input: 300_000, cachedInput: 300_000, output: 100_000 }, price).toFixed(6),
    "1.560000",
  );
});

test("every price is one: above nothing, and never dearer from a cache", () => {
  const rates = Object.entries(PRICES).flatMap(([name, price]) => [
    { name, ...price },
    ...(price.long === undefined ? [] : [{ name, ...price.long }]),
  ]);
  assert.ok(rates.length > 50);
  for (const { name, inputUsd, cachedInputUsd, outputUsd, cacheWriteUsd = inputUsd } of rates) {
    assert.ok(inputUsd > 0 && cachedInputUsd > 0 && cachedInputUsd <= inputUsd, name);
    assert.ok(outputUsd > inputUsd && cacheWriteUsd >= inputUsd, name);
  }
});

test("every model that is used without being asked for has a price", () => {
  assert.ok(DEFAULT_MODELS.length > 2);
  for (const { provider, name } of DEFAULT_MODELS)
    assert.notEqual(priceOf(`${provider}:${name}`, {}), null, name);
});
