/** What holds about crashes: who is charged, who becomes a suspect, and when a job is given up. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Job } from "../../../src/queue/queue.ts";
import type { Engine } from "./engines.ts";
import { assertFenced } from "./leases.ts";
import { DONE, idsOf, withQueue } from "./sample-queue.ts";

const blameOf = ({ deaths, isSuspect }: Job) => ({ deaths, isSuspect });

const CLEAN = { deaths: 0, isSuspect: false };
const SUSPECT = { deaths: 0, isSuspect: true };
const CHARGED = { deaths: 1, isSuspect: true };

export function testCrashes(engine: Engine): void {
  const on = (title: string): string => `${engine.name}: ${title}`;

  test(on("a job that killed its workers is claimed once more as poisoned, then ends by itself"), () =>
    withQueue(engine, { leaseMs: 100, maxDeaths: 3 }, async ({ queue, add, take, takeId, pass, read }) => {
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

  test(on("a poisoned job that is completed stays as its worker left it"), () =>
    withQueue(engine, { leaseMs: 100, maxDeaths: 1 }, async ({ queue, add, take, takeId, pass, read }) => {
      await add({});
      await take();
      pass(100);
      const last = await take();
      assert.equal(last.isPoisoned, true);
      assert.equal(await queue.complete(last, { state: "failed", reason: "failed:told" }), true);
      pass(1_000);
      assert.equal(await takeId(), null);
      assert.equal((await read(last.job.id)).reason, "failed:told");
    }),
  );

  test(on("jobs whose worker crashed with several are suspects, charged with nothing"), () =>
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
      const again = await take(null, "heir");
      assert.equal(again.job.id, first);
      assert.deepEqual(blameOf(again.job), SUSPECT);
      assert.equal(await queue.complete(again, DONE), true);
      pass(30);
      // An engine may look for expired leases only where it finds nothing else to run.
      while ((await takeId()) !== null);
      assert.deepEqual(blameOf(await read(second)), SUSPECT);
      assert.deepEqual(blameOf(await read(lone)), CHARGED);
      assert.deepEqual(blameOf(await read(other)), CLEAN);
      for (const lost of [one, two]) await assertFenced(queue, lost);
    }),
  );

  test(on("a job that crashed its own process is charged at once, and its worker's other jobs are not"), () =>
    withQueue(engine, { leaseMs: 100, maxDeaths: 2 }, async ({ queue, add, take, takeId, pass, read }) => {
      const [bad = -1, good = -1] = idsOf(await add({ serialKey: "pr-1" }, {}));
      const crashed = await take();
      const kept = await take();
      assert.equal(await queue.crash(crashed), true);
      await assertFenced(queue, crashed);
      const { state, reason } = await read(bad);
      assert.deepEqual([state, reason], ["queued", "waiting:crashed"]);
      assert.deepEqual(blameOf(await read(bad)), CHARGED);
      // It waits as long as a lease lasts.
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
      assert.deepEqual(blameOf(await read(good)), CLEAN);
      assert.equal(await queue.complete(kept, DONE), true);
    }),
  );

  test(on("a job that always crashes in company is charged once its attempts are used up"), () =>
    withQueue(engine, { leaseMs: 100, maxAttempts: 3, maxDeaths: 1 }, async ({ add, take, takeId, pass }) => {
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
    }),
  );

  test(on("a crashed job that was superseded meanwhile ends as that"), () =>
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

  test(on("a job that a person queues again is no suspect any more"), () =>
    withQueue(engine, { leaseMs: 100, maxDeaths: 0 }, async ({ queue, add, take, read }) => {
      const [id = -1] = idsOf(await add({}));
      assert.equal(await queue.crash(await take()), true);
      assert.deepEqual([(await read(id)).state, blameOf(await read(id))], ["failed", CHARGED]);
      assert.equal(await queue.requeue(id), true);
      assert.deepEqual(blameOf((await take()).job), CLEAN);
    }),
  );
}
