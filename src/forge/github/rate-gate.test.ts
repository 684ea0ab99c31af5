/** Writes are serial and within the limits; short waits are slept, long ones are told. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { KodiaiError } from "../../base/errors.ts";
import { createRateGate, nextWriteAt } from "./rate-gate.ts";

const WRITE = { route: "POST /x", isWrite: true };
const READ = { route: "GET /x", isWrite: false };

function gateAt(startMs: number) {
  const clock = { nowMs: startMs, sleptMs: 0 };
  const gate = createRateGate({
    now: () => clock.nowMs,
    sleep: async (delayMs) => {
      clock.nowMs += delayMs;
      clock.sleptMs += delayMs;
    },
  });
  return { clock, gate };
}

test("writes never overlap, also after one has failed", async () => {
  const { gate } = gateAt(1_000_000);
  let running = 0;
  let most = 0;
  const write = (index: number) =>
    gate.pass(WRITE, async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      if (index === 1) throw new Error("refused");
      return index;
    });
  const results = await Promise.allSettled([0, 1, 2, 3].map(write));
  assert.equal(most, 1);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled", "fulfilled"],
  );
});

test("[P18] the 81st write within a minute is not sent, and says when it may be", async () => {
  const { gate, clock } = gateAt(1_000_000);
  let sent = 0;
  const write = () => gate.pass(WRITE, async () => (sent += 1));
  for (let index = 0; index < 80; index += 1) await write();
  await assert.rejects(write, (error: unknown) => {
    assert.ok(error instanceof KodiaiError);
    assert.equal(error.code, "rate-limited");
    assert.equal(error.retryAtMs, 1_062_000);
    return true;
  });
  assert.equal(sent, 80);
  assert.equal(await gate.pass(READ, async () => "read"), "read");
  clock.nowMs = 1_060_000;
  await write();
  assert.equal(clock.sleptMs, 2_000);
  assert.equal(sent, 81);
});

test("the limit of an hour holds when that of a minute does not", () => {
  const steady = Array.from({ length: 500 }, (_, index) => index * 7_000);
  assert.equal(nextWriteAt(steady), 3_602_000);
  assert.ok(nextWriteAt(steady.slice(1)) < 499 * 7_000);
});

test("[P18] after GitHub named a time nothing is sent before it", async () => {
  const { gate, clock } = gateAt(1_000_000);
  gate.holdUntil(1_030_000);
  for (const call of [READ, WRITE]) {
    await assert.rejects(
      gate.pass(call, async () => assert.fail("sent")),
      { code: "rate-limited", retryAtMs: 1_030_000 },
    );
  }
  clock.nowMs = 1_028_000;
  assert.equal(await gate.pass(READ, async () => "sent"), "sent");
  assert.equal(clock.sleptMs, 2_000);
});

test("a call that sleeps is not sent when another one is refused meanwhile", async () => {
  let nowMs = 1_000_000;
  const gate = createRateGate({
    now: () => nowMs,
    sleep: async (delayMs) => {
      nowMs += delayMs;
      gate.holdUntil(1_060_000);
    },
  });
  gate.holdUntil(1_002_000);
  await assert.rejects(
    gate.pass(READ, async () => assert.fail("sent")),
    { code: "rate-limited", retryAtMs: 1_060_000 },
  );
});
