import assert from "node:assert/strict";
import { test } from "node:test";
import { estimateUsd, type Price, PRICES } from "../../model/prices.ts";
import type { Reservation, Spending } from "../../model/spending.ts";
import { sizeOf } from "../../model/tokens.ts";
import { createMemorySpending } from "./create-memory-spending.ts";
import { createMeter } from "./meter.ts";

/** A dollar per thousand tokens, the tenth of it from a cache. */
const PRICE: Price = { inputUsd: 1_000, cachedInputUsd: 100, outputUsd: 2_000 };

async function reserve(spending: Spending, usd: number): Promise<Reservation> {
  const answer = await spending.reserve(usd, "openai:gpt-5");
  if (answer.kind === "refused") throw new Error(answer.budget);
  return answer;
}

const perReview = (usd: number) => ({ name: "perReviewUsd", usd }) as const;

test("a call is admitted while its most is set aside or can be, and what it took is counted", async () => {
  const spending = createMemorySpending(perReview(10));
  const reservation = await reserve(spending, 3);
  const meter = createMeter({ reservation, reservedUsd: 3, price: PRICE });
  // 1 + 2 dollars: just what was set aside.
  assert.equal(await meter.admit({ inputTokens: 1_000, outputTokens: 1_000 }), 1_000);
  meter.add({ input: 1_000, cachedInput: 500, output: 100 });
  assert.equal(meter.spentUsd()?.toFixed(6), "0.750000");
  // 0.75 + 8: more is set aside, up to 8.75 of 10.
  assert.equal(await meter.admit({ inputTokens: 4_000, outputTokens: 2_000 }), 2_000);
  assert.equal((await spending.reserve(1.26, "m")).kind, "refused");
  meter.add({ input: 4_000, cachedInput: 0, cacheWriteInput: 1_000, output: 1_000 });
  assert.equal(meter.spentUsd()?.toFixed(6), "6.750000");
  assert.equal(meter.shortage(), null);
  // 6.75 + 4 is beyond the ceiling.
  assert.equal(await meter.admit({ inputTokens: 2_000, outputTokens: 1_000 }), 0);
  assert.deepEqual(meter.shortage(), {
    kind: "over-budget",
    budget: "perReviewUsd",
    limitUsd: 10,
    spentUsd: 8.75,
    neededUsd: 4,
  });
  // A smaller one still fits into what is set aside.
  assert.equal(await meter.admit({ inputTokens: 1_000, outputTokens: 500 }), 500);
  assert.equal(meter.shortage(), null);
  assert.deepEqual(meter.tokens(), { input: 5_000, cachedInput: 500, cacheWriteInput: 1_000, output: 1_100 });
});

test("where the longest answer is too dear a shorter one is admitted, down to what an answer usually needs", async () => {
  const cheap: Price = { inputUsd: 10, cachedInputUsd: 10, outputUsd: 10 };
  const call = { inputTokens: 1_000, outputTokens: 32_000 };
  const roomFor = async (usd: number) => {
    const spending = createMemorySpending(perReview(usd));
    const meter = createMeter({ reservation: await reserve(spending, 0), reservedUsd: 0, price: cheap });
    return { allowed: await meter.admit(call), setAsideUsd: await spending.spentUsd() };
  };
  assert.deepEqual(await roomFor(0.5), { allowed: 32_000, setAsideUsd: 0.33 });
  // 20,000 tokens less what the prompt may come to: a third more than was estimated.
  assert.deepEqual(await roomFor(0.2), { allowed: 18_650, setAsideUsd: 0.2 });
  assert.deepEqual(await roomFor(0.0535), { allowed: 4_000, setAsideUsd: 0.0535 });
  assert.deepEqual(await roomFor(0.0534), { allowed: 0, setAsideUsd: 0 });
});

test("a model that always takes the most never spends more than the ceiling, and comes close to it", async () => {
  for (const ceiling of [0.5, 1, 7.3]) {
    const spending = createMemorySpending(perReview(ceiling));
    const meter = createMeter({
      reservation: await reserve(spending, 0),
      reservedUsd: 0,
      price: { inputUsd: 2, cachedInputUsd: 2, outputUsd: 20 },
    });
    let calls = 0;
    for (let output = 1; output > 0; calls++) {
      output = await meter.admit({ inputTokens: 1_000, outputTokens: 16_000 });
      if (output > 0) meter.add({ input: 1_000, cachedInput: 0, output });
    }
    const spent = meter.spentUsd() ?? Infinity;
    assert.ok(spent <= ceiling && spent > ceiling - 0.09, `${spent} of ${ceiling} in ${calls} calls`);
  }
});

test("several at once under one ceiling never pass it together", async () => {
  const spending = createMemorySpending(perReview(1));
  const price: Price = { inputUsd: 2, cachedInputUsd: 2, outputUsd: 20 };
  const meters = await Promise.all(
    Array.from({ length: 5 }, async () =>
      createMeter({ reservation: await reserve(spending, 0), reservedUsd: 0, price }),
    ),
  );
  for (let round = 0; round < 20; round++) {
    const admitted = await Promise.all(
      meters.map((meter) => meter.admit({ inputTokens: 1_000, outputTokens: 16_000 })),
    );
    admitted.forEach((output, at) => {
      if (output > 0) meters[at]?.add({ input: 1_000, cachedInput: 0, output });
    });
  }
  const spent = meters.reduce((sum, meter) => sum + (meter.spentUsd() ?? Infinity), 0);
  assert.ok(spent <= 1 && spent > 0.9, String(spent));
});

test("where long calls cost more, each call is counted by its own length", async () => {
  const price: Price = { ...PRICE, long: { ...PRICE, inputUsd: 3_000, aboveInputTokens: 1_000 } };
  const spending = createMemorySpending(null);
  const meter = createMeter({ reservation: await reserve(spending, 0), reservedUsd: 0, price });
  meter.add({ input: 1_000, cachedInput: 0, output: 0 });
  meter.add({ input: 1_000, cachedInput: 0, output: 0 });
  assert.equal(meter.spentUsd(), 2);
  meter.add({ input: 1_001, cachedInput: 0, output: 0 });
  assert.equal(meter.spentUsd()?.toFixed(3), "5.003");
});

test("without a price, calls are admitted up to a number of tokens, and the cost is unknown", async () => {
  const reservation = await reserve(createMemorySpending(null), 0);
  const meter = createMeter({ reservation, reservedUsd: 0, price: null });
  assert.equal(await meter.admit({ inputTokens: 1_000_000, outputTokens: 9_000 }), 9_000);
  meter.add({ input: 4_500_000, cachedInput: 0, output: 1 });
  assert.equal(meter.spentUsd(), null);
  assert.equal(meter.shortage(), null);
  assert.equal(await meter.admit({ inputTokens: 400_000, outputTokens: 9_000 }), 9_000);
  assert.equal(await meter.admit({ inputTokens: 500_000, outputTokens: 9_000 }), 0);
  assert.deepEqual(meter.shortage(), { kind: "over-tokens", maxTokens: 5_000_000 });
});

test("the reservation for a Chinese prompt covers its actual cost, and the budget holds", async () => {
  const price = PRICES["claude-sonnet-4-5"];
  assert.ok(price !== undefined);
  // 43 characters, 50 tokens with the least suited vocabulary.
  const prompt =
    "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。".repeat(4_000);
  const billed = { input: 4_000 * 50, cachedInput: 0, output: 0 };
  const reservedUsd = estimateUsd({ inputSize: sizeOf(prompt), outputTokens: 0, price });
  assert.equal((await createMemorySpending(perReview(0.6)).reserve(reservedUsd, "m")).kind, "refused");
  const spending = createMemorySpending(perReview(1.5));
  const reservation = await reserve(spending, reservedUsd);
  const meter = createMeter({ reservation, reservedUsd, price });
  meter.add(billed);
  assert.equal(meter.spentUsd()?.toFixed(2), "0.60");
  assert.ok((meter.spentUsd() ?? Infinity) <= reservedUsd, `${meter.spentUsd()} of ${reservedUsd}`);
});
