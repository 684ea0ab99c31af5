/** Contract tests of crashes: which job is charged, which becomes a suspect, and when a job fails. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Job } from "../../../src/queue/queue.ts";
import type { Engine } from "./engines.ts";
import { assertFenced } from "./leases.ts";
import { DONE, idsOf, withQueue } from "./sample-queue.ts";

const chargeOf = ({ deaths, isSuspect }: Job) => ({ deaths, isSuspect });

const CLEAN = { deaths: 0, isSuspect: false };
const SUSPECT = { deaths: 0, isSuspect: true };
const CHARGED = { deaths: 1, isSuspect: true };

export function testCrashes(engine: Engine): void {
  const on = (title: string): string => `${engine.name}: ${title}`;

  test(on("a job that crashed its workers is claimed once more as poisoned, then the queue ends it"), () =>
    withQueue(engine, { leaseMs: 100, maxCrashes: 3 }, async ({ queue, add, take, takeId, pass, read }) => {
      const [id = -1, next] = idsOf(await add({ serialKey: "pr-1" }, { serialKey: "pr-1" }));
      const seen: (readonly [number, boolean])[] = [];
      for (let index = 0; index < 4; index++) {
        const { job, isPoisoned } = await take();
        assert.equal(job.id, id);
        seen.push([job.deaths, isPoisoned]);
        pass(100);
      }
      assert.deepEqual(seen, [
        [0, false],
        [1, false],
        [2, false],
        [3, true],
      ]);
      assert.equal(await takeId(), next);
      const poisoned = await read(id);
      assert.deepEqual([poisoned.state, poisoned.reason, poisoned.deaths], ["failed", "failed:poison", 4]);
      assert.equal((await queue.list({ states: ["failed"], limit: 5 })).length, 1);
    }),
  );

  test(on("a poisoned job keeps the state and reason its worker gave it"), () =>
    withQueue(engine, { leaseMs: 100, maxCrashes: 1 }, async ({ queue, add, take, takeId, pass, read }) => {
      await add({});
      await take();
      pass(100);
      const last = await take();
      assert.equal(last.isPoisoned, true);
      assert.equal(await queue.complete(last, { state: "failed", reason: "failed:notified" }), true);
      pass(1_000);
      assert.equal(await takeId(), null);
      assert.equal((await read(last.job.id)).reason, "failed:notified");
    }),
  );

  test(on("when a worker crashes with several jobs, all become suspects and none is charged"), () =>
    withQueue(engine, { leaseMs: 100 }, async ({ queue, add, take, takeId, pass, read }) => {
      const [first = -1, second = -1, other = -1, lone = -1] = idsOf(await add({}, {}, {}, {}));
      const one = await take(null, "crashed");
      const two = await take(null, "crashed");
      const healthy = await take(null, "healthy");
      await take(null, "crashed alone");
      // Jobs renew their leases at their own times, so those of one worker expire one after the other.
      pass(30);
      assert.equal(await queue.heartbeat(two, "working"), "held");
      pass(60);
      assert.equal(await queue.heartbeat(healthy, "working"), "held");
      pass(10);
      const again = await take(null, "successor");
      assert.equal(again.job.id, first);
      assert.deepEqual(chargeOf(again.job), SUSPECT);
      assert.equal(await queue.complete(again, DONE), true);
      pass(30);
      // An engine may handle expired leases only when it finds nothing else to run.
      while ((await takeId()) !== null);
      assert.deepEqual(chargeOf(await read(second)), SUSPECT);
      assert.deepEqual(chargeOf(await read(lone)), CHARGED);
      assert.deepEqual(chargeOf(await read(other)), CLEAN);
      for (const lost of [one, two]) await assertFenced(queue, lost);
    }),
  );

  test(on("a crash of a job's separate process is charged to that job and to no other"), () =>
    withQueue(engine, { leaseMs: 100, maxCrashes: 2 }, async ({ queue, add, take, takeId, pass, read }) => {
      const [bad = -1, good = -1] = idsOf(await add({ serialKey: "pr-1" }, {}));
      const crashed = await take();
      const kept = await take();
      assert.equal(await queue.crash(crashed), true);
      await assertFenced(queue, crashed);
      const { state, reason } = await read(bad);
      assert.deepEqual([state, reason], ["queued", "waiting:crashed"]);
      assert.deepEqual(chargeOf(await read(bad)), CHARGED);
      // The job waits for the duration of a lease.
      pass(99);
      assert.equal(await queue.heartbeat(kept, "working"), "held");
      assert.equal(await takeId(), null);
      pass(1);
      const second = await take();
      assert.deepEqual([second.job.id, second.isPoisoned], [bad, false]);
      assert.equal(await queue.crash(second), true);
      pass(99);
      assert.equal(await queue.heartbeat(kept, "working"), "held");
      pass(1);
      const last = await take();
      assert.deepEqual([last.job.id, last.isPoisoned], [bad, true]);
      assert.equal(await queue.crash(last), true);
      const ended = await read(bad);
      assert.deepEqual([ended.state, ended.reason, ended.deaths], ["failed", "failed:poison", 3]);
      assert.deepEqual(chargeOf(await read(good)), CLEAN);
      assert.equal(await queue.complete(kept, DONE), true);
    }),
  );

  test(on("a job that always crashes along with others is charged once its attempts are used up"), () =>
    withQueue(
      engine,
      { leaseMs: 100, maxAttempts: 3, maxCrashes: 1 },
      async ({ add, take, takeId, pass }) => {
        await add({}, {});
        const seen: (readonly [number, boolean])[] = [];
        for (let claims = 0; claims < 4; claims++) {
          const worker = `worker ${claims}`;
          const pair = [await take(null, worker), await take(null, worker)];
          for (const { job, isPoisoned } of pair) seen.push([job.deaths, isPoisoned]);
          pass(100);
        }
        assert.deepEqual(
          seen.filter((_, index) => index % 2 === 0),
          [
            [0, false],
            [0, false],
            [0, false],
            [1, true],
          ],
        );
        assert.equal(await takeId(), null);
      },
    ),
  );

  test(on("a job that was superseded before its crash ends as superseded"), () =>
    withQueue(engine, {}, async ({ queue, add, take, read }) => {
      const [old = -1] = idsOf(await add({ serialKey: "pr-1" }));
      const claim = await take();
      const [next] = idsOf(await add({ serialKey: "pr-1", supersedes: true }));
      assert.equal(await queue.crash(claim), true);
      const { state, reason } = await read(old);
      assert.deepEqual([state, reason], ["superseded", `superseded-by:${next}`]);
      assert.equal((await take()).job.id, next);
    }),
  );

  test(on("requeueing a job clears its suspicion"), () =>
    withQueue(engine, { leaseMs: 100, maxCrashes: 0 }, async ({ queue, add, take, read }) => {
      const [id = -1] = idsOf(await add({}));
      assert.equal(await queue.crash(await take()), true);
      assert.deepEqual([(await read(id)).state, chargeOf(await read(id))], ["failed", CHARGED]);
      assert.equal(await queue.requeue(id), true);
      assert.deepEqual(chargeOf((await take()).job), CLEAN);
    }),
  );
}
