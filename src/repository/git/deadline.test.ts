import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createWorkLimit } from "./deadline.ts";

/** A limit of one second for a git whose CPU time is this after each number of milliseconds. */
function limitFor(t: TestContext, cpuMsAt: (ms: number) => number | null) {
  let ms = 0;
  t.mock.timers.enable({ apis: ["setTimeout"] });
  t.mock.method(performance, "now", () => ms);
  const limit = createWorkLimit(1_000, () => cpuMsAt(ms));
  const pass = (stepMs: number): void => {
    for (const endMs = ms + stepMs; ms < endMs;) {
      ms += 50;
      t.mock.timers.tick(50);
    }
  };
  return { limit, pass };
}

test("git on a busy machine keeps its time, and one that uses its CPU time or hangs is ended", (t) => {
  const busy = limitFor(t, (ms) => ms / 8);
  busy.pass(7_500);
  assert.equal(busy.limit.signal.aborted, false);
  assert.ok(busy.limit.end() < 1_200);
  t.mock.reset();
  const working = limitFor(t, (ms) => ms);
  working.pass(1_100);
  assert.equal(working.limit.signal.aborted, true);
  t.mock.reset();
  const hanging = limitFor(t, () => 0);
  hanging.pass(10_100);
  assert.equal(hanging.limit.signal.aborted, true);
});

test("our own work on what git found counts, and what can't be read counts as nothing", (t) => {
  const { limit, pass } = limitFor(t, () => null);
  limit.add(600);
  pass(2_000);
  assert.equal(limit.signal.aborted, false);
  limit.add(400);
  pass(500);
  assert.equal(limit.signal.aborted, true);
});
