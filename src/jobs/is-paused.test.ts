import assert from "node:assert/strict";
import { test } from "node:test";
import type { Run } from "../store/repositories/to-run.ts";
import { isPaused } from "./is-paused.ts";

type PastRun = Pick<Run, "triggers" | "status">;

const PUSH: PastRun = { triggers: "synchronize", status: "completed" };

function pushes(count: number): readonly PastRun[] {
  return Array.from({ length: count }, () => PUSH);
}

test("reviews pause after the tenth reviewed push", () => {
  assert.equal(isPaused([]), false);
  assert.equal(isPaused(pushes(9)), false);
  assert.equal(isPaused(pushes(10)), true);
});

const NINTH: readonly (readonly [what: string, run: PastRun, counts: boolean])[] = [
  ["a partial review", { triggers: "synchronize", status: "partial" }, true],
  ["a push that replaced the first review", { triggers: "synchronize,opened", status: "completed" }, true],
  ["a push whose review failed", { triggers: "synchronize", status: "failed" }, false],
  ["a push that another replaced", { triggers: "synchronize", status: "superseded" }, false],
  ["a push during the pause", { triggers: "synchronize", status: "skipped" }, false],
  ["the first review", { triggers: "opened", status: "completed" }, false],
  ["a request", { triggers: "comment", status: "completed" }, false],
  ["a push that replaced a request", { triggers: "synchronize,comment", status: "completed" }, false],
];

for (const [what, run, counts] of NINTH) {
  test(`${what} ${counts ? "counts" : "doesn't count"} as a reviewed push`, () => {
    assert.equal(isPaused([...pushes(9), run]), counts);
  });
}

test("resuming ends the pause, and the count starts again", () => {
  const resumed: PastRun = { triggers: "resume", status: "completed" };
  assert.equal(isPaused([...pushes(10), resumed]), false);
  assert.equal(isPaused([...pushes(10), resumed, ...pushes(9)]), false);
  assert.equal(isPaused([...pushes(10), resumed, ...pushes(10)]), true);
});

test("resuming counts although its review failed or a push replaced it, but not if it was refused", () => {
  assert.equal(isPaused([...pushes(10), { triggers: "resume", status: "failed" }]), false);
  assert.equal(isPaused([...pushes(10), { triggers: "synchronize,resume", status: "completed" }]), false);
  assert.equal(isPaused([...pushes(10), { triggers: "resume", status: "skipped" }]), true);
});
