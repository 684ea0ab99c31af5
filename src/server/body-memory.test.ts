import assert from "node:assert/strict";
import { test } from "node:test";
import { createBodyMemory } from "./body-memory.ts";

test("[P16] the body that has been arriving longest is evicted, a complete one never is", () => {
  const memory = createBodyMemory(100);
  const evicted: string[] = [];
  const open = (name: string) => {
    const reservation = memory.open();
    reservation.onEvicted(() => evicted.push(name));
    return reservation;
  };
  const [complete, oldest, older, newest] = ["complete", "oldest", "older", "newest"].map(open);
  assert.ok(complete && oldest && older && newest);
  assert.ok(complete.reserve(40));
  complete.complete();
  assert.ok(oldest.reserve(1) && older.reserve(40));
  assert.ok(newest.reserve(30));
  assert.deepEqual(evicted, ["oldest", "older"]);
  assert.ok(newest.reserve(30));
  // It's the oldest now, and the complete one keeps its memory.
  assert.equal(newest.reserve(1), false);
  complete.release();
  complete.release();
  assert.ok(newest.reserve(40));
  assert.equal(newest.reserve(1), false);
  assert.deepEqual(evicted, ["oldest", "older"]);
});
