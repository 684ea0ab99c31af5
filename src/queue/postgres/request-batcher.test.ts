import assert from "node:assert/strict";
import { test } from "node:test";
import { KodiaiError } from "../../base/errors.ts";
import { createRequestBatcher } from "./request-batcher.ts";

test("requests that arrive while a batch runs form the next batch, and each gets its own answer", async () => {
  const seen: (readonly number[])[] = [];
  const send = createRequestBatcher<number, number>(
    (request) => (request < 100 ? "small" : "large"),
    async (requests) => {
      seen.push(requests);
      return requests.map((request) => request * 2);
    },
  );
  const first = send(1);
  await Promise.resolve();
  const answers = await Promise.all([first, send(2), send(3), send(100)]);
  assert.deepEqual(answers, [2, 4, 6, 200]);
  assert.deepEqual(
    seen.toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0)),
    [[1], [2, 3], [100]],
  );
  assert.equal(await send(4), 8);
});

test("a failing request doesn't fail its batch, unless the database is unavailable", async () => {
  const unavailable = new KodiaiError("database", "is unavailable", { hint: "wait", retryable: true });
  let calls = 0;
  const send = createRequestBatcher<string, string>(
    () => "",
    async (requests) => {
      calls++;
      if (requests.includes("unavailable")) throw unavailable;
      if (requests.includes("bad")) throw new Error("bad");
      return requests;
    },
  );
  const outcomes = await Promise.allSettled(["a", "bad", "b"].map(send));
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled"],
  );
  assert.equal(calls, 4);
  const refused = await Promise.allSettled(["a", "unavailable", "b"].map(send));
  assert.ok(refused.every((outcome) => outcome.status === "rejected" && outcome.reason === unavailable));
  assert.equal(calls, 5);
});
