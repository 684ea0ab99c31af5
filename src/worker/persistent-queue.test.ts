import assert from "node:assert/strict";
import { test } from "node:test";
import { KodiaiError } from "../base/errors.ts";
import { createLog } from "../base/log.ts";
import type { Claim, Queue } from "../queue/queue.ts";
import { createPersistentQueue } from "./persistent-queue.ts";

const unavailable = new KodiaiError("database", "is unavailable", { hint: "wait", retryable: true });
const log = createLog({ level: "error", format: "text", write: () => {}, now: Date.now });

/** Throws the failures first, then succeeds. */
function failing(failures: readonly Error[]): { readonly queue: Queue; readonly calls: () => number } {
  let calls = 0;
  const complete = async (): Promise<boolean> => {
    const failure = failures[calls++];
    if (failure !== undefined) throw failure;
    return true;
  };
  // The test calls no other method.
  return { queue: { complete } as unknown as Queue, calls: () => calls };
}

// Only passed on.
const claim = {} as Claim;
const DONE = { state: "done", reason: "published" } as const;
const options = { leaseMs: 60_000, hardStop: new AbortController().signal, log };

test("writing the result of a job is retried while the database is unavailable", async () => {
  const { queue, calls } = failing([unavailable]);
  assert.equal(await createPersistentQueue(queue, options).complete(claim, DONE), true);
  assert.equal(calls(), 2);
});

test("writing isn't retried after the lease, at a hard stop, or for another error", async () => {
  const defect = new Error("a defect");
  const cases = [
    [{ ...options, leaseMs: -1 }, unavailable],
    [{ ...options, hardStop: AbortSignal.abort() }, unavailable],
    [options, defect],
    [options, new KodiaiError("database", "is read-only", { hint: "grant" })],
  ] as const;
  for (const [how, failure] of cases) {
    const { queue, calls } = failing([failure]);
    await assert.rejects(
      createPersistentQueue(queue, how).complete(claim, DONE),
      (error) => error === failure,
    );
    assert.equal(calls(), 1);
  }
});
