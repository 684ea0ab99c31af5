/** Contract tests of leases: renewal, fencing, attempts, parking, releasing. Crashes are in crashes.ts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DONE, idsOf, withQueue } from "./sample-queue.ts";
import type { Claim, Queue } from "../../../src/queue/queue.ts";
import type { Engine } from "./engines.ts";

export async function assertFenced(queue: Queue, lost: Claim): Promise<void> {
  const before = await queue.read(lost.job.id);
  assert.equal(await queue.heartbeat(lost, "late"), "lost");
  assert.equal(await queue.complete(lost, DONE), false);
  assert.equal(await queue.retry(lost, "late"), "lost");
  assert.equal(await queue.park(lost, 0, "late"), false);
  assert.equal(await queue.release(lost), false);
  assert.equal(await queue.crash(lost), false);
  assert.deepEqual(await queue.read(lost.job.id), before);
}

export function testLeases(engine: Engine): void {
  const on = (title: string): string => `${engine.name}: ${title}`;

  test(on("a renewed lease stays valid, and the job shows the reported step"), () =>
    withQueue(engine, { leaseMs: 100 }, async ({ queue, add, take, takeId, pass, read }) => {
      await add({});
      const claim = await take();
      for (let index = 0; index < 3; index++) {
        pass(99);
        assert.equal(await queue.heartbeat(claim, `step ${index}`), "held");
        assert.equal(await takeId(), null);
      }
      assert.equal((await read(claim.job.id)).step, "step 2");
      assert.equal(await queue.complete(claim, DONE), true);
    }),
  );

  test(
    on("an expired lease counts as a crash, and its job goes to another worker that fences the first"),
    () =>
      withQueue(engine, { leaseMs: 100 }, async ({ queue, add, take, takeId, pass }) => {
        await add({ serialKey: "pr-1" }, { serialKey: "pr-1" });
        const lost = await take();
        pass(99);
        assert.equal(await takeId(), null);
        pass(1);
        const next = await take();
        assert.equal(next.job.id, lost.job.id);
        assert.deepEqual([next.job.attempts, next.job.deaths, next.isPoisoned], [2, 1, false]);
        assert.notEqual(next.token, lost.token);
        await assertFenced(queue, lost);
        assert.equal(await queue.complete(next, DONE), true);
        await assertFenced(queue, lost);
        await assertFenced(queue, next);
      }),
  );

  test(on("retries back off up to a limit, then the job fails"), () => {
    const options = { backoffMs: 100, maxBackoffMs: 250, maxAttempts: 4 };
    return withQueue(engine, options, async ({ queue, add, take, takeId, pass, read }) => {
      const [id = -1] = idsOf(await add({}));
      for (const pauseMs of [100, 200, 250]) {
        assert.equal(await queue.retry(await take(), "failed:network"), "queued");
        assert.equal((await read(id)).reason, "failed:network");
        pass(pauseMs - 1);
        assert.equal(await takeId(), null);
        pass(1);
      }
      const last = await take();
      assert.equal(last.job.attempts, 4);
      assert.equal(await queue.retry(last, "failed:network"), "failed");
      const { state, reason } = await read(id);
      assert.deepEqual([state, reason], ["failed", "failed:network"]);
    });
  });

  test(on("a parked job frees its worker and its group, returns on time, and keeps its attempts"), () =>
    withQueue(engine, { groupLimit: 1 }, async ({ queue, add, take, takeId, pass, now, read }) => {
      const [parked, other] = idsOf(await add({}, {}));
      const claim = await take();
      assert.equal(await queue.park(claim, now() + 1_000, "waiting:rate-limit"), true);
      await assertFenced(queue, claim);
      const { state, reason, attempts, runAt, worker } = await read(claim.job.id);
      assert.deepEqual(
        [state, reason, attempts, runAt, worker],
        ["queued", "waiting:rate-limit", 0, now() + 1_000, null],
      );
      const second = await take();
      assert.equal(second.job.id, other);
      await queue.complete(second, DONE);
      assert.equal(await takeId(), null);
      pass(1_000);
      const again = await take();
      assert.deepEqual([again.job.id, again.job.attempts], [parked, 1]);
    }),
  );

  test(on("a released job is ready at once, as if it had never been claimed"), () =>
    withQueue(engine, { maxAttempts: 2 }, async ({ queue, add, take }) => {
      const [id] = idsOf(await add({ serialKey: "pr-1" }, { serialKey: "pr-1" }));
      for (let index = 0; index < 5; index++) {
        const claim = await take();
        assert.deepEqual([claim.job.id, claim.job.attempts, claim.job.deaths], [id, 1, 0]);
        assert.equal(await queue.release(claim), true);
        await assertFenced(queue, claim);
      }
    }),
  );
}
