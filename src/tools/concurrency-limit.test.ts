import assert from "node:assert/strict";
import { test } from "node:test";
import { yieldToEventLoop } from "../base/event-loop.ts";
import { createConcurrencyLimit } from "./concurrency-limit.ts";

test("no more than its places at a time, all in order, also behind one that fails", async () => {
  const gate = createConcurrencyLimit(3);
  let inside = 0;
  let most = 0;
  const begun: number[] = [];
  const visits = Array.from({ length: 20 }, (_, index) =>
    gate(async () => {
      begun.push(index);
      most = Math.max(most, ++inside);
      await yieldToEventLoop();
      inside--;
      if (index % 4 === 0) throw new Error("no");
      return index;
    }),
  );
  const settled = await Promise.allSettled(visits);
  assert.deepEqual([most, inside], [3, 0]);
  assert.deepEqual(begun, [...begun.keys()]);
  assert.equal(settled.filter(({ status }) => status === "fulfilled").length, 15);
});
