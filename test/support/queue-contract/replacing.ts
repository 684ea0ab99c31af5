/** Contract tests of cancelling, superseding, requeueing, listing and pruning jobs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DONE, idsOf, withQueue } from "./sample-queue.ts";
import type { Engine } from "./engines.ts";

// Far longer than a test may take, so only a wake can end these waits.
const WAIT_MS = 600_000;
export function testReplacing(engine: Engine): void {
  const on = (title: string): string => `${engine.name}: ${title}`;

  test(on("cancelling a queued job ends it and promotes the next one of its serial key"), () =>
    withQueue(engine, {}, async ({ queue, add, takeId, read }) => {
      const [first = -1, second = -1, third] = idsOf(
        await add({ serialKey: "pr-1" }, { serialKey: "pr-1" }, { serialKey: "pr-1" }),
      );
      assert.equal(await queue.cancel(second, "closed"), true);
      assert.equal(await queue.cancel(first, "closed"), true);
      assert.equal(await queue.cancel(first, "again"), false);
      assert.equal(await queue.cancel(987_654, "unknown"), false);
      const { state, reason, finishedAt } = await read(first);
      assert.deepEqual([state, reason, finishedAt !== null], ["cancelled", "closed", true]);
      assert.equal(await takeId(), third);
    }),
  );

  test(
    on("a running job learns of its cancellation at its heartbeat and blocks its serial key until it ends"),
    () =>
      withQueue(engine, {}, async ({ queue, add, take, takeId, read }) => {
        const [first = -1, second] = idsOf(await add({ serialKey: "pr-1" }, { serialKey: "pr-1" }));
        const claim = await take();
        assert.equal(await queue.cancel(first, "closed"), true);
        assert.equal(await queue.heartbeat(claim, "working"), "cancelled");
        assert.equal(await takeId(), null);
        assert.equal(await queue.complete(claim, { state: "cancelled", reason: "cancelled:closed" }), true);
        assert.equal((await read(first)).reason, "cancelled:closed");
        assert.equal(await takeId(), second);
      }),
  );

  test(on("a cancelled job doesn't run again after a release, a retry or a crash"), () =>
    withQueue(engine, { leaseMs: 100 }, async ({ queue, add, take, takeId, pass, now, read }) => {
      const [released = -1, retried = -1, parked = -1, crashed = -1] = idsOf(await add({}, {}, {}, {}));
      const claims = [await take(), await take(), await take(), await take()] as const;
      for (const id of [released, retried, parked, crashed]) await queue.cancel(id, "closed");
      assert.equal(await queue.release(claims[0]), true);
      assert.equal(await queue.retry(claims[1], "network"), "stopped");
      assert.equal(await queue.park(claims[2], now() + 5, "limit"), true);
      pass(100);
      assert.equal(await takeId(), null);
      for (const id of [released, retried, parked, crashed]) {
        const { state, reason } = await read(id);
        assert.deepEqual([state, reason], ["cancelled", "closed"]);
      }
    }),
  );

  test(on("a superseding job ends the queued jobs with its serial key and no others"), () =>
    withQueue(engine, {}, async ({ queue, add, takeId, read }) => {
      const [first = -1, second = -1, delayed = -1, other = -1, plain = -1] = idsOf(
        await add(
          { serialKey: "pr-1" },
          { serialKey: "pr-1" },
          { serialKey: "pr-1", delayMs: 50 },
          { serialKey: "pr-2" },
          {},
        ),
      );
      const [newest = -1] = idsOf(await add({ serialKey: "pr-1", supersedes: true }));
      for (const id of [first, second, delayed]) {
        const { state, reason, supersededBy, finishedAt } = await read(id);
        assert.deepEqual(
          [state, reason, supersededBy, finishedAt !== null],
          ["superseded", `superseded-by:${newest}`, newest, true],
        );
      }
      assert.deepEqual([await takeId(), await takeId(), await takeId()], [other, plain, newest]);
      assert.equal(await takeId(), null);
      assert.deepEqual(
        idsOf((await queue.supersededBy(newest)).map(({ id: jobId }) => ({ jobId, isNew: false }))),
        [first, second, delayed],
      );
    }),
  );

  test(on("a running job learns that it is superseded, and the newer job waits for it to end"), () =>
    withQueue(engine, {}, async ({ queue, add, take, takeId, read }) => {
      await add({ serialKey: "pr-1", supersedes: true });
      const claim = await take();
      const [second = -1] = idsOf(await add({ serialKey: "pr-1", supersedes: true }));
      const [third = -1] = idsOf(await add({ serialKey: "pr-1", supersedes: true }));
      assert.equal(await queue.heartbeat(claim, "working"), "superseded");
      assert.equal((await read(claim.job.id)).supersededBy, second);
      assert.equal(await takeId(), null);
      assert.equal(
        await queue.complete(claim, { state: "superseded", reason: `superseded-by:${second}` }),
        true,
      );
      assert.equal(await takeId(), third);
      // Jobs that a superseded job had superseded count too.
      const replaced = await queue.supersededBy(third);
      assert.deepEqual(
        replaced.map(({ id }) => id),
        [claim.job.id, second],
      );
    }),
  );

  test(on("a superseded job that finishes anyway wasn't replaced"), () =>
    withQueue(engine, {}, async ({ queue, add, take, takeId, read }) => {
      await add({ serialKey: "pr-1" });
      const claim = await take();
      const [newer = -1] = idsOf(await add({ serialKey: "pr-1", supersedes: true }));
      assert.equal(await queue.complete(claim, DONE), true);
      const { state, reason, supersededBy } = await read(claim.job.id);
      assert.deepEqual([state, reason, supersededBy], ["done", "published", null]);
      assert.deepEqual(await queue.supersededBy(newer), []);
      assert.equal(await takeId(), newer);
    }),
  );

  test(on("a superseded job ends as superseded after a release, a retry or a crash"), () =>
    withQueue(engine, { leaseMs: 100 }, async ({ queue, add, take, pass, read }) => {
      const endings = [
        async (claim: Awaited<ReturnType<typeof take>>) => assert.equal(await queue.release(claim), true),
        async (claim: Awaited<ReturnType<typeof take>>) =>
          assert.equal(await queue.retry(claim, "x"), "stopped"),
        async () => pass(100),
      ];
      for (const [index, end] of endings.entries()) {
        const serialKey = `pr-${index}`;
        await add({ serialKey });
        const claim = await take();
        const [newer = -1] = idsOf(await add({ serialKey, supersedes: true }));
        await end(claim);
        const next = await take();
        assert.equal(next.job.id, newer);
        await queue.complete(next, DONE);
        const { state, reason, supersededBy } = await read(claim.job.id);
        assert.deepEqual([state, reason, supersededBy], ["superseded", `superseded-by:${newer}`, newer]);
      }
    }),
  );

  test(on("only failed, cancelled and skipped jobs can be requeued, and they start from scratch"), () =>
    withQueue(engine, { maxAttempts: 1 }, async ({ queue, add, take, takeId, read }) => {
      const [id = -1] = idsOf(await add({ key: "again", serialKey: "pr-1" }));
      assert.equal(await queue.requeue(id), false);
      assert.equal(await queue.retry(await take(), "failed:x"), "failed");
      assert.equal(await queue.requeue(id), true);
      const { state, attempts, finishedAt } = await read(id);
      assert.deepEqual([state, attempts, finishedAt], ["queued", 0, null]);
      assert.deepEqual(await add({ key: "again" }), [{ jobId: id, isNew: false }]);
      const claim = await take();
      assert.deepEqual([claim.job.id, claim.job.attempts], [id, 1]);
      await queue.complete(claim, { state: "skipped", reason: "skipped:draft" });
      // Another job with the serial key is running, so the old one waits for it.
      const [newer] = idsOf(await add({ serialKey: "pr-1" }));
      const running = await take();
      assert.equal(running.job.id, newer);
      assert.equal(await queue.requeue(id), true);
      assert.equal(await takeId(), null);
      await queue.complete(running, DONE);
      assert.equal(await takeId(), id);
      assert.equal(await queue.requeue(running.job.id), false);
      assert.equal(await queue.requeue(987_654), false);
    }),
  );

  test(on("a requeued job from a reserved lane is available to every worker"), () =>
    withQueue(engine, {}, async ({ queue, add, take, takeId }) => {
      const [id = -1] = idsOf(await add({ lane: "only:here" }));
      await queue.complete(await take(["only:here"]), { state: "failed", reason: "failed:x" });
      assert.equal(await queue.requeue(id), true);
      assert.equal(await takeId(null), id);
    }),
  );

  test(on("a job in a reserved lane counts as queued but not as overdue"), () =>
    withQueue(engine, {}, async ({ queue, add, pass }) => {
      await add({ lane: "only:here" }, { lane: "only:here", delayMs: 100 });
      pass(5_000);
      assert.deepEqual(await queue.stats(), { queued: 2, running: 0, oldestReadyMs: null });
      await add({});
      pass(7);
      assert.equal((await queue.stats()).oldestReadyMs, 7);
    }),
  );

  test(on("jobs are listed newest first and counted by state"), () =>
    withQueue(engine, {}, async ({ queue, add, take, pass }) => {
      const [running, blocked, delayed, ready] = idsOf(
        await add({ serialKey: "pr-1" }, { serialKey: "pr-1" }, { delayMs: 5_000 }, {}),
      );
      await take();
      const listed = async (...states: ("queued" | "running" | "done")[]) =>
        (await queue.list({ states, limit: 10 })).map(({ id }) => id);
      assert.deepEqual(await listed("queued"), [ready, delayed, blocked]);
      assert.deepEqual(await listed("queued", "running"), [ready, delayed, blocked, running]);
      assert.deepEqual(await listed("done"), []);
      assert.deepEqual(
        (await queue.list({ states: null, limit: 2 })).map(({ id }) => id),
        [ready, delayed],
      );
      pass(300);
      assert.deepEqual(await queue.stats(), { queued: 3, running: 1, oldestReadyMs: 300 });
    }),
  );

  test(on("pruning deletes only jobs that ended before the given time"), () =>
    withQueue(engine, {}, async ({ queue, add, take, pass, now }) => {
      const [old, young, open] = idsOf(await add({ key: "old" }, { key: "young" }, { key: "open" }));
      await queue.complete(await take(), DONE);
      pass(1_000);
      await queue.complete(await take(), DONE);
      assert.equal(await queue.prune(now()), 1);
      assert.equal(await queue.read(old ?? -1), null);
      const left = (await queue.list({ states: null, limit: 9 })).map(({ id }) => id);
      assert.deepEqual(left, [open, young]);
      const [again] = await add({ key: "old" });
      assert.equal(again?.isNew, true);
      assert.notEqual(again?.jobId, old);
    }),
  );

  test(on("pruning deletes idle turns, and a group with new work gets its turn again"), () =>
    withQueue(engine, {}, async ({ queue, database, add, take, takeId, now }) => {
      const turnCount = async () => (await database.query("select lane from job_turns")).length;
      for (let index = 0; index < 5; index++) {
        const lane = `only:${index}`;
        await add({ lane });
        await queue.complete(await take([lane]), DONE);
      }
      const [waiting] = idsOf(await add({ group: "waits" }));
      assert.ok((await turnCount()) >= 1);
      await queue.prune(now());
      assert.equal(await turnCount(), 1);
      assert.equal(await takeId(), waiting);
      assert.equal(await takeId(), null);
      await queue.prune(now());
      assert.equal(await turnCount(), 0);
      const [back] = idsOf(await add({ group: "waits" }));
      assert.equal(await takeId(), back);
    }),
  );

  test(on("new work wakes a waiting worker, even if it arrived during the worker's last check"), (t) =>
    withQueue(engine, {}, async ({ queue, add, takeId }) => {
      assert.equal(await takeId(), null);
      const waiting = queue.waitForWork(WAIT_MS, t.signal);
      await add({});
      queue.wake();
      await waiting;
      assert.notEqual(await takeId(), null);

      const looking = takeId();
      queue.wake();
      assert.equal(await looking, null);
      await queue.waitForWork(WAIT_MS, t.signal);

      const stop = new AbortController();
      const cancelled = queue.waitForWork(WAIT_MS, AbortSignal.any([stop.signal, t.signal]));
      stop.abort();
      await cancelled;
      await queue.waitForWork(WAIT_MS, stop.signal);
      await queue.waitForWork(1, t.signal);
    }),
  );

  test(on("a job that ends wakes workers waiting for its group"), (t) =>
    withQueue(engine, { groupLimit: 1 }, async ({ queue, add, take, takeId }) => {
      const [, second] = idsOf(await add({}, {}));
      const claim = await take();
      assert.equal(await takeId(), null);
      const waiting = queue.waitForWork(WAIT_MS, t.signal);
      await queue.complete(claim, DONE);
      await waiting;
      assert.equal(await takeId(), second);
    }),
  );

  test(on("a job is open until it has ended, also while it waits"), () =>
    withQueue(engine, {}, async ({ queue, add, take }) => {
      await add({ key: "first", serialKey: "a" }, { key: "second", serialKey: "a" });
      assert.equal(await queue.isAnyOpen(["none"]), false);
      assert.equal(await queue.isAnyOpen(["none", "second"]), true, "blocked");
      const claim = await take();
      assert.equal(await queue.isAnyOpen(["first"]), true, "running");
      await queue.park(claim, Number.MAX_SAFE_INTEGER, "waiting");
      assert.equal(await queue.isAnyOpen(["first"]), true, "delayed");
      assert.equal(await queue.cancel(claim.job.id, "cancelled"), true);
      assert.equal(await queue.isAnyOpen(["first"]), false);
      assert.equal(await queue.isAnyOpen(["first", "second"]), true, "ready");
    }),
  );

  test(on("jobs are listed by the prefix of their serial key, and only ended ones can be deleted"), () =>
    withQueue(engine, {}, async ({ queue, add, take }) => {
      const [ended = -1, open = -1, other = -1] = idsOf(
        await add({ serialKey: "review/1/7" }, { serialKey: "review/1/8" }, { serialKey: "review/12/1" }),
      );
      assert.equal(await queue.complete(await take(), DONE), true);
      assert.deepEqual(await queue.listSerial("review/1/"), [
        { id: ended, state: "done" },
        { id: open, state: "queued" },
      ]);
      await queue.forget([ended, open]);
      assert.deepEqual(await queue.listSerial("review/"), [
        { id: open, state: "queued" },
        { id: other, state: "queued" },
      ]);
    }),
  );
}
