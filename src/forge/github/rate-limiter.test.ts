/** Tests that writes are sequential and within the limits, and that long waits throw. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { KodiaiError } from "../../base/errors.ts";
import { createRateLimiter, nextWriteAt } from "./rate-limiter.ts";

const WRITE = { route: "POST /x", isWrite: true };
const READ = { route: "GET /x", isWrite: false };

function gateAt(startMs: number) {
  const clock = { nowMs: startMs, sleptMs: 0 };
  const limiter = createRateLimiter({
    now: () => clock.nowMs,
    sleep: async (delayMs) => {
      clock.nowMs += delayMs;
      clock.sleptMs += delayMs;
    },
  });
  return { clock, limiter };
}

test("writes never overlap, even after one has failed", async () => {
  const { limiter } = gateAt(1_000_000);
  let running = 0;
  let most = 0;
  const write = (index: number) =>
    limiter.run(WRITE, async () => {
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

test("[P18] the 81st write within a minute isn't sent, and the error says when it may be", async () => {
  const { limiter, clock } = gateAt(1_000_000);
  let sent = 0;
  const write = () => limiter.run(WRITE, async () => (sent += 1));
  for (let index = 0; index < 80; index += 1) await write();
  await assert.rejects(write, (error: unknown) => {
    assert.ok(error instanceof KodiaiError);
    assert.equal(error.code, "rate-limited");
    assert.equal(error.retryAtMs, 1_062_000);
    return true;
  });
  assert.equal(sent, 80);
  assert.equal(await limiter.run(READ, async () => "read"), "read");
  clock.nowMs = 1_060_000;
  await write();
  assert.equal(clock.sleptMs, 2_000);
  assert.equal(sent, 81);
});

test("the hourly limit applies when the one per minute doesn't", () => {
  const steady = Array.from({ length: 500 }, (_, index) => index * 7_000);
  assert.equal(nextWriteAt(steady), 3_602_000);
  assert.ok(nextWriteAt(steady.slice(1)) < 499 * 7_000);
});

test("[P18] nothing is sent before a time that GitHub named", async () => {
  const { limiter, clock } = gateAt(1_000_000);
  limiter.pauseUntil(1_030_000);
  for (const call of [READ, WRITE]) {
    await assert.rejects(
      limiter.run(call, async () => assert.fail("sent")),
      { code: "rate-limited", retryAtMs: 1_030_000 },
    );
  }
  clock.nowMs = 1_028_000;
  assert.equal(await limiter.run(READ, async () => "sent"), "sent");
  assert.equal(clock.sleptMs, 2_000);
});

test("a waiting call isn't sent if another one hits a limit in the meantime", async () => {
  let nowMs = 1_000_000;
  const limiter = createRateLimiter({
    now: () => nowMs,
    sleep: async (delayMs) => {
      nowMs += delayMs;
      limiter.pauseUntil(1_060_000);
    },
  });
  limiter.pauseUntil(1_002_000);
  await assert.rejects(
    limiter.run(READ, async () => assert.fail("sent")),
    { code: "rate-limited", retryAtMs: 1_060_000 },
  );
});

test("[P18] answers to outsiders take a third of the writes, and reviews have the rest at once", async () => {
  const { limiter, clock } = gateAt(1_000_000);
  const FOR_OUTSIDER = { ...WRITE, isForOutsider: true };
  const sent = { outsiders: 0, others: 0 };
  const answer = () => limiter.run(FOR_OUTSIDER, async () => (sent.outsiders += 1));
  const answers = await Promise.allSettled(Array.from({ length: 260 }, answer));
  assert.equal(sent.outsiders, 26);
  const refused = answers.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  assert.ok(refused.every((error) => error instanceof KodiaiError && error.code === "rate-limited"));
  for (let index = 0; index < 54; index += 1) await limiter.run(WRITE, async () => (sent.others += 1));
  assert.deepEqual(sent, { outsiders: 26, others: 54 });
  assert.equal(clock.sleptMs, 0, "no one waits for an outsider");
  // Nor do outsiders get more than their share of an hour.
  for (let minute = 1; minute < 59; minute += 1) {
    clock.nowMs += 62_000;
    await Promise.allSettled(Array.from({ length: 30 }, answer));
  }
  assert.equal(sent.outsiders, 166);
});
