import assert from "node:assert/strict";
import { test } from "node:test";
import { createBacklog } from "./backlog.ts";

const LIMITS = { maxWaiting: 3, maxAgeMs: 2_000, maxWaitMs: 3_600_000 };

function held() {
  const clock = { nowMs: 1_000 };
  const backlog = createBacklog(() => clock.nowMs, LIMITS);
  const opened: (() => void)[] = [];
  const begin = (name: string) =>
    backlog.run(() => new Promise<string>((resolve) => void opened.push(() => resolve(name))));
  return { clock, backlog, opened, begin };
}

test("so many wait at once, and the next one is refused until one is done", async () => {
  const { begin, opened } = held();
  const waiting = ["a", "b", "c"].map(begin);
  assert.equal(await begin("d"), null);
  opened[0]?.();
  assert.equal(await waiting[0], "a");
  const later = begin("e");
  for (const open of opened) open();
  assert.deepEqual(await Promise.all([...waiting.slice(1), later]), ["b", "c", "e"]);
});

test("while one has waited for long, others are refused", async () => {
  const { begin, opened, clock } = held();
  const first = begin("a");
  clock.nowMs += LIMITS.maxAgeMs;
  const second = begin("b");
  clock.nowMs += 1;
  assert.equal(await begin("c"), null);
  opened[0]?.();
  assert.equal(await first, "a");
  const third = begin("d");
  for (const open of opened) open();
  assert.deepEqual(await Promise.all([second, third]), ["b", "d"]);
});

test("work that fails rejects and waits no longer, and work that takes too long is refused", async () => {
  const { backlog } = held();
  for (let index = 0; index < 5; index++)
    await assert.rejects(
      backlog.run(() => Promise.reject(new Error("full"))),
      /full/,
    );
  const late = createBacklog(() => 0, { ...LIMITS, maxWaitMs: 0 });
  let isFailed: (error: Error) => void = () => {};
  assert.equal(await late.run(() => new Promise((_, reject) => void (isFailed = reject))), null);
  // Its failure must not end the process.
  isFailed(new Error("late"));
});
