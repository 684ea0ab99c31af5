import assert from "node:assert/strict";
import { test } from "node:test";
import { KodiaiError } from "../../base/errors.ts";
import { createGathering } from "./gather.ts";

test("requests that come while one is answered are answered together, each with its own answer", async () => {
  const seen: (readonly number[])[] = [];
  const gather = createGathering<number, number>(
    (request) => (request < 100 ? "small" : "large"),
    async (requests) => {
      seen.push(requests);
      return requests.map((request) => request * 2);
    },
  );
  const first = gather(1);
  await Promise.resolve();
  const answers = await Promise.all([first, gather(2), gather(3), gather(100)]);
  assert.deepEqual(answers, [2, 4, 6, 200]);
  assert.deepEqual(
    seen.toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0)),
    [[1], [2, 3], [100]],
  );
  assert.equal(await gather(4), 8);
});

test("one that fails fails alone, unless nothing could be answered at all", async () => {
  const away = new KodiaiError("database", "is away", { hint: "wait", retryable: true });
  let calls = 0;
  const gather = createGathering<string, string>(
    () => "",
    async (requests) => {
      calls++;
      if (requests.includes("away")) throw away;
      if (requests.includes("bad")) throw new Error("bad");
      return requests;
    },
  );
  const outcomes = await Promise.allSettled(["a", "bad", "b"].map(gather));
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled"],
  );
  assert.equal(calls, 4);
  const refused = await Promise.allSettled(["a", "away", "b"].map(gather));
  assert.ok(refused.every((outcome) => outcome.status === "rejected" && outcome.reason === away));
  assert.equal(calls, 5);
});
