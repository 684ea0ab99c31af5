import assert from "node:assert/strict";
import { test } from "node:test";
import { createBodyMemory } from "./body-memory.ts";

test("the body that has been arriving longest gives way, one that is complete never does", () => {
  const room = createBodyMemory(100);
  const gone: string[] = [];
  const enter = (name: string) => {
    const place = room.enter();
    place.onGiveWay(() => gone.push(name));
    return place;
  };
  const [complete, oldest, older, newest] = ["complete", "oldest", "older", "newest"].map(enter);
  assert.ok(complete && oldest && older && newest);
  assert.ok(complete.take(40));
  complete.arrived();
  assert.ok(oldest.take(1) && older.take(40));
  assert.ok(newest.take(30));
  assert.deepEqual(gone, ["oldest", "older"]);
  assert.ok(newest.take(30));
  // It is the oldest itself now, and what is complete keeps its memory.
  assert.equal(newest.take(1), false);
  complete.leave();
  complete.leave();
  assert.ok(newest.take(40));
  assert.equal(newest.take(1), false);
  assert.deepEqual(gone, ["oldest", "older"]);
});
