/** Contract tests of random call sequences, checked against a simple model of the rules. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { DONE, requestOf, type SampleQueue, withQueue } from "./sample-queue.ts";
import type { Claim, Job } from "../../../src/queue/queue.ts";
import type { Engine } from "./engines.ts";
import { someRuns } from "../extent.ts";

const LANES = ["a", "b", "only:c"];

const call = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("enqueue" as const),
      serialKey: fc.constantFrom(null, "x", "y", "z"),
      group: fc.constantFrom("g", "h"),
      lane: fc.constantFrom(...LANES),
      priority: fc.constantFrom(0, 5),
      delayMs: fc.constantFrom(0, 0, 40),
      supersedes: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("claim" as const),
      lanes: fc.constantFrom(null, ["a"], ["b", "only:c"]),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom("complete", "retry", "park", "release", "heartbeat"),
      which: fc.nat(20),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("cancel", "requeue"), which: fc.nat(20) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.constantFrom(10, 50, 120) }),
  },
);

type Call = typeof call extends fc.Arbitrary<infer Value> ? Value : never;

const OPTIONS = {
  leaseMs: 100,
  groupLimit: 2,
  maxAttempts: 3,
  maxCrashes: 1,
  backoffMs: 30,
  maxBackoffMs: 60,
};

export function testAnyOrder(engine: Engine): void {
  test(`${engine.name}: after any calls the limits hold, and a claim never misses a job`, () =>
    withQueue(engine, OPTIONS, async (sample) => {
      await fc.assert(
        fc.asyncProperty(fc.array(call, { minLength: 10, maxLength: 50 }), async (calls) => {
          await sample.database.query("delete from jobs");
          const claims: Claim[] = [];
          for (const one of calls) {
            await perform(one, claims, { ...sample, dueDelayMs: engine.dueDelayMs });
            const jobs = await sample.queue.list({ states: ["queued", "running"], limit: 1_000 });
            assertLimits(jobs);
          }
        }),
        { numRuns: someRuns(60) },
      );
    }));
}

type Sample = SampleQueue & Pick<Engine, "dueDelayMs">;

async function perform(one: Call, claims: Claim[], sample: Sample): Promise<void> {
  const { queue, now, pass } = sample;
  switch (one.kind) {
    case "enqueue": {
      const { kind: _, ...given } = one;
      await sample.database.transaction((sql) => queue.enqueue([requestOf(given)], sql));
      return;
    }
    case "claim": {
      const open = await queue.list({ states: ["queued", "running"], limit: 1_000 });
      const claim = await queue.claim({ worker: "w", lanes: one.lanes });
      assertRightClaim(claim, open, { lanes: one.lanes, now: now(), dueDelayMs: sample.dueDelayMs });
      if (claim !== null) claims.push(claim);
      return;
    }
    case "pass":
      pass(one.ms);
      return;
    case "cancel":
    case "requeue": {
      const jobs = await queue.list({ states: null, limit: 1_000 });
      const job = jobs[one.which % Math.max(1, jobs.length)];
      if (job !== undefined)
        await (one.kind === "cancel" ? queue.cancel(job.id, "x") : queue.requeue(job.id));
      return;
    }
    default: {
      const claim = claims[one.which % Math.max(1, claims.length)];
      if (claim !== undefined) await performOnClaim(one.kind, claim, sample);
    }
  }
}

async function performOnClaim(kind: string, claim: Claim, { queue, now }: SampleQueue): Promise<void> {
  const calls: Record<string, () => Promise<unknown>> = {
    complete: () => queue.complete(claim, DONE),
    retry: () => queue.retry(claim, "x"),
    park: () => queue.park(claim, now() + 25, "x"),
    release: () => queue.release(claim),
    heartbeat: () => queue.heartbeat(claim, "x"),
  };
  await calls[kind]?.();
}

function assertLimits(jobs: readonly Job[]): void {
  const running = jobs.filter(({ state }) => state === "running");
  for (const job of running) {
    assert.ok(running.filter(({ group }) => group === job.group).length <= OPTIONS.groupLimit);
    if (job.serialKey === null) continue;
    assert.equal(running.filter(({ serialKey }) => serialKey === job.serialKey).length, 1);
  }
}

type ClaimContext = {
  readonly lanes: readonly string[] | null;
  readonly now: number;
  readonly dueDelayMs: number;
};

/**
 * Returns the jobs that a claim may return according to the contract. The model ignores expired leases, which can only make
 * more jobs claimable.
 */
function claimable(open: readonly Job[], { lanes, now }: ClaimContext): readonly Job[] {
  const running = open.filter(({ state }) => state === "running");
  return open.filter(
    (job) =>
      job.state === "queued" &&
      job.runAt <= now &&
      (lanes === null ? !job.lane.startsWith("only:") : lanes.includes(job.lane)) &&
      running.filter(({ group }) => group === job.group).length < OPTIONS.groupLimit &&
      (job.serialKey === null ||
        !open.some((other) => other.serialKey === job.serialKey && other.id < job.id)),
  );
}

function assertRightClaim(claim: Claim | null, open: readonly Job[], context: ClaimContext): void {
  const possible = claimable(open, context);
  if (claim === null) {
    // A requeued job may be blocked by a younger head, which the model doesn't know.
    const certain = possible.filter(
      (job) =>
        job.serialKey === null ||
        !open.some(({ id, serialKey }) => serialKey === job.serialKey && id !== job.id),
    );
    assert.deepEqual(certain, [], "there was a job to claim");
    return;
  }
  const rivals = possible.filter(
    ({ id, group, lane }) => id !== claim.job.id && group === claim.job.group && lane === claim.job.lane,
  );
  const better = rivals.filter(
    ({ priority, serialKey, runAt, createdAt }) =>
      priority > claim.job.priority &&
      serialKey === null &&
      (runAt === createdAt || runAt <= context.now - context.dueDelayMs),
  );
  assert.deepEqual(better, [], "a job with a higher priority was skipped");
}
