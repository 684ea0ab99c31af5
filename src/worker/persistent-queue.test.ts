import assert from "node:assert/strict";
import { test } from "node:test";
import { KodiaiError } from "../base/errors.ts";
import { createLog } from "../base/log.ts";
import type { Claim, Queue } from "../queue/queue.ts";
import { createPersistentQueue } from "./persistent-queue.ts";

const away = new KodiaiError("database", "is away", { hint: "wait", retryable: true });
const log = createLog({ level: "error", format: "text", write: () => {}, now: Date.now });

/** Answers with failures first, and then that it is done. */
function failing(failures: readonly Error[]): { readonly queue: Queue; readonly calls: () => number } {
  let calls = 0;
  const complete = async (): Promise<boolean> => {
    const failure = failures[calls++];
    if (failure !== undefined) throw failure;
    return true;
  };
  // Nothing else of it is called here.
  return { queue: { complete } as unknown as Queue, calls: () => calls };
}

// It is only passed on.
const claim = {} as Claim;
const DONE = { state: "done", reason: "published" } as const;
const patience = { leaseMs: 60_000, abandon: new AbortController().signal, log };

test("the end of a job is told again while the database is away", async () => {
  const { queue, calls } = failing([away]);
  assert.equal(await createPersistentQueue(queue, patience).complete(claim, DONE), true);
  assert.equal(calls(), 2);
});

test("it is not told again when the lease is over, the process ends, or the failure is another", async () => {
  const defect = new Error("a defect");
  const cases = [
    [{ ...patience, leaseMs: -1 }, away],
    [{ ...patience, abandon: AbortSignal.abort() }, away],
    [patience, defect],
    [patience, new KodiaiError("database", "is read-only", { hint: "grant" })],
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
