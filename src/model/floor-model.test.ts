/** The deterministic reviewer keeps what the port promises, as far as it calls nobody. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createFloorModel, type FloorReview } from "./floor-model.ts";
import { type ModelTask, NO_STRAY_CALLS } from "./model.ts";

const TASK: ModelTask = {
  prompt: { system: "", user: "" },
  tools: [],
  strayCalls: NO_STRAY_CALLS,
  limits: { deadlineMs: 100, stallMs: 100, overloadMs: 100, maxTurns: 1, maxOutputTokens: 0 },
  meter: { admit: () => assert.fail("it costs nothing"), add: () => assert.fail("it costs nothing") },
  onEvent: () => assert.fail("it has no turns and calls no tools"),
};

const FREE = { model: "floor", turns: 0, tokens: { input: 0, cachedInput: 0, output: 0 } };

/** Each look at the clock takes 60 ms. */
function slowClock(): () => number {
  let ms = 0;
  return () => (ms += 60);
}

function run(review: FloorReview, signal = new AbortController().signal) {
  return createFloorModel(review, slowClock()).run(TASK, signal);
}

test("floor: a review to its end is completed, and nobody is asked for money", async () => {
  const outcome = await run(async () => true);
  assert.deepEqual(outcome, { ...FREE, kind: "completed", stopReason: { kind: "finished" }, ms: 60 });
});

test("floor: it hears when its time is over, and says that it did not come to its end", async () => {
  const looks: boolean[] = [];
  const outcome = await run(async (isLate) => {
    looks.push(isLate(), isLate());
    return false;
  });
  assert.deepEqual(looks, [false, true]);
  assert.deepEqual(outcome, { ...FREE, kind: "timed-out", stopReason: { kind: "deadline" }, ms: 180 });
});

test("floor: what nobody wants any more rejects with the reason, before and after the review", async () => {
  const reason = new Error("a newer commit");
  const before = AbortSignal.abort(reason);
  await assert.rejects(
    run(() => assert.fail("not begun"), before),
    reason,
  );
  const during = new AbortController();
  const aborting: FloorReview = async () => {
    during.abort(reason);
    return true;
  };
  await assert.rejects(run(aborting, during.signal), reason);
});
