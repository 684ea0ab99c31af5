/** Contract tests of enqueueing and claiming: keys, delays, priorities, lanes, serial keys, groups. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DONE, idsOf, withQueue } from "./sample-queue.ts";
import type { Engine } from "./engines.ts";

export function testClaiming(engine: Engine): void {
  const on = (title: string): string => `${engine.name}: ${title}`;

  test(on("a job is claimed once, with everything its request contained"), () =>
    withQueue(engine, {}, async ({ queue, add, take, takeId, now }) => {
      const [id] = idsOf(
        await add({
          key: "a",
          kind: "mention",
          lane: "short",
          serialKey: "pr-1",
          priority: 3,
          payload: '{"a":1}',
        }),
      );
      const { job, token, isPoisoned } = await take();
      assert.deepEqual(job, {
        id,
        key: "a",
        kind: "mention",
        lane: "short",
        serialKey: "pr-1",
        group: "acme",
        priority: 3,
        payload: '{"a":1}',
        state: "running",
        reason: null,
        step: null,
        attempts: 1,
        deaths: 0,
        isSuspect: false,
        supersededBy: null,
        createdAt: now(),
        runAt: now(),
        startedAt: now(),
        finishedAt: null,
        worker: "tester",
      });
      assert.ok(token.length >= 32 && !isPoisoned);
      assert.equal(await takeId(), null);
      assert.equal(await queue.complete({ job, token, isPoisoned }, DONE), true);
      const ended = await queue.read(job.id);
      assert.deepEqual([ended?.state, ended?.reason, ended?.finishedAt], ["done", "published", now()]);
    }),
  );

  test(on("requests with the same key are one job while it is open and after it is done"), () =>
    withQueue(engine, {}, async ({ queue, add, take, takeId }) => {
      const first = await add({ key: "same" }, { key: "same" });
      const known = [{ jobId: first[0]?.jobId ?? -1, isNew: false }];
      assert.deepEqual(first, [{ jobId: known[0]?.jobId, isNew: true }, ...known]);
      assert.deepEqual(await add({ key: "same" }), known);
      const claim = await take();
      assert.deepEqual(await add({ key: "same" }), known);
      await queue.complete(claim, DONE);
      assert.deepEqual(await add({ key: "same", supersedes: true }), known);
      assert.equal(await takeId(), null);
    }),
  );

  test(on("a skipped, superseded or failed job doesn't block a new job with its key"), () =>
    withQueue(engine, {}, async ({ queue, add, take }) => {
      const request = { key: "same", serialKey: "pr-1" };
      for (const state of ["skipped", "superseded", "failed"] as const) {
        await add(request);
        const { job, ...claim } = await take();
        await queue.complete({ job, ...claim }, { state, reason: `${state}:x` });
        const [again] = await add(request);
        assert.ok(again?.isNew === true && again.jobId !== job.id, state);
        await queue.complete(await take(), { state, reason: `${state}:x` });
      }
      await add(request);
      await queue.complete(await take(), { state: "failed", reason: "failed:poison" });
      assert.equal((await add(request))[0]?.isNew, false);
    }),
  );

  test(on("a failed transaction enqueues nothing"), () =>
    withQueue(engine, {}, async ({ queue, database, add, takeId }) => {
      const request = { key: "lost", kind: "x", lane: "l", serialKey: "s", supersedes: true, group: "g" };
      const [before = -1] = idsOf(await add({ serialKey: "s" }));
      await assert.rejects(
        database.transaction(async (sql) => {
          await queue.enqueue([{ ...request, priority: 0, delayMs: 0, payload: "{}" }], sql);
          throw new Error("on purpose");
        }),
        /on purpose/,
      );
      assert.equal(await takeId(), before);
      assert.equal((await queue.list({ states: null, limit: 10 })).length, 1);
    }),
  );

  test(on("a delayed job can't be claimed before its delay has passed"), () =>
    withQueue(engine, {}, async ({ add, takeId, pass, queue }) => {
      const [id] = idsOf(await add({ delayMs: 500 }));
      assert.equal(await takeId(), null);
      pass(499);
      assert.equal(await takeId(), null);
      assert.equal((await queue.stats()).oldestReadyMs, null);
      pass(1);
      assert.equal((await queue.stats()).oldestReadyMs, 0);
      assert.equal(await takeId(), id);
    }),
  );

  test(on("within a group, higher priority runs first, then the older job"), () =>
    withQueue(engine, {}, async ({ add, takeId }) => {
      const [low, high, alsoHigh] = idsOf(await add({ priority: 0 }, { priority: 5 }, { priority: 5 }));
      assert.deepEqual([await takeId(), await takeId(), await takeId()], [high, alsoHigh, low]);
    }),
  );

  test(on("a worker gets jobs from the lanes it names, or from all lanes that aren't reserved"), () =>
    withQueue(engine, {}, async ({ add, takeId }) => {
      const [review, mention, reserved] = idsOf(
        await add({ lane: "review" }, { lane: "mention" }, { lane: "only:gpu" }),
      );
      assert.equal(await takeId(["mention"]), mention);
      assert.equal(await takeId(["mention", "nothing"]), null);
      assert.equal(await takeId(null), review);
      assert.equal(await takeId(null), null);
      assert.equal(await takeId(["mention", "only:gpu"]), reserved);
    }),
  );

  test(on("jobs with one serial key run one at a time in enqueue order, regardless of priority"), () =>
    withQueue(engine, {}, async ({ queue, add, take, takeId }) => {
      const [first, other, second, third] = idsOf(
        await add(
          { serialKey: "pr-1" },
          { serialKey: "pr-2" },
          { serialKey: "pr-1", lane: "short" },
          { serialKey: "pr-1", priority: 9 },
        ),
      );
      const claim = await take();
      assert.equal(claim.job.id, first);
      assert.equal(await takeId(), other);
      assert.equal(await takeId(), null);
      await queue.complete(claim, DONE);
      const next = await take();
      assert.equal(next.job.id, second);
      assert.equal(await takeId(), null);
      await queue.complete(next, { state: "failed", reason: "failed:x" });
      assert.equal(await takeId(), third);
    }),
  );

  test(on("a job waiting for a retry blocks only jobs with its serial key"), () =>
    withQueue(engine, { backoffMs: 1_000 }, async ({ queue, add, take, takeId, pass }) => {
      const [first, second, other] = idsOf(
        await add({ serialKey: "pr-1" }, { serialKey: "pr-1" }, { serialKey: "pr-2" }),
      );
      await queue.retry(await take(), "network");
      assert.equal(await takeId(), other);
      assert.equal(await takeId(), null);
      pass(1_000);
      const again = await take();
      assert.equal(again.job.id, first);
      assert.equal(await takeId(), null);
      await queue.complete(again, DONE);
      assert.equal(await takeId(), second);
    }),
  );

  test(on("a group never runs more jobs than its limit, across all lanes"), () =>
    withQueue(engine, { groupLimit: 2 }, async ({ queue, add, take, takeId }) => {
      const [, , third, other] = idsOf(
        await add({ lane: "a" }, { lane: "b" }, { lane: "a" }, { lane: "a", group: "globex" }),
      );
      const held = [await take(), await take()];
      const ids = held.map(({ job }) => job.id);
      // Groups take turns, so one of the two may be the other group's.
      if (!ids.includes(other ?? -1)) assert.equal(await takeId(), other);
      else held.push(await take());
      assert.equal(await takeId(), null);
      const own = held.find(({ job }) => job.group === "acme");
      assert.ok(own !== undefined);
      await queue.complete(own, DONE);
      assert.equal(await takeId(), third);
    }),
  );

  test(on("a separate lane is only for workers that name it, and its groups take turns"), () =>
    withQueue(engine, {}, async ({ add, takeId, read }) => {
      const lane = "separate-talk";
      await add(...Array.from({ length: 5 }, () => ({ lane, group: "loud" })));
      await add({ lane, group: "quiet" });
      const [review] = idsOf(await add({ lane: "review", group: "loud", priority: -5 }));
      assert.equal(await takeId(null), review);
      assert.equal(await takeId(null), null, "however many slots are free");
      const groups = [];
      for (let turn = 0; turn < 2; turn++) groups.push((await read((await takeId([lane])) ?? 0)).group);
      assert.deepEqual(groups.toSorted(), ["loud", "quiet"]);
    }),
  );

  test(on("in a reserved lane, a group at its limit doesn't block other groups"), () =>
    withQueue(engine, { groupLimit: 1 }, async ({ queue, add, take, takeId }) => {
      await add({});
      const held = await take();
      const [full, free] = idsOf(
        await add({ lane: "only:gpu", priority: 5 }, { lane: "only:gpu", group: "globex" }),
      );
      assert.equal(await takeId(["only:gpu"]), free);
      assert.equal(await takeId(["only:gpu"]), null);
      await queue.complete(held, DONE);
      assert.equal(await takeId(["only:gpu"]), full);
    }),
  );

  test(on("groups take turns: one group's backlog doesn't delay the others"), () =>
    withQueue(engine, {}, async ({ queue, add, take }) => {
      await add(...Array.from({ length: 300 }, () => ({ group: "huge", priority: 9 })));
      for (let index = 0; index < 3; index++) await queue.complete(await take(), DONE);
      await add({ group: "small" }, { group: "middle" }, { group: "middle" });
      const groups: string[] = [];
      for (let index = 0; index < 7; index++) {
        const claim = await take();
        groups.push(claim.job.group);
        await queue.complete(claim, DONE);
      }
      assert.deepEqual(groups.slice(0, 3).toSorted(), ["huge", "middle", "small"]);
      assert.deepEqual(groups.slice(3, 5).toSorted(), ["huge", "middle"]);
      assert.deepEqual(groups.slice(5), ["huge", "huge"]);
    }),
  );

  test(on("a group that had many turns while it was alone doesn't wait for others to catch up"), () =>
    withQueue(engine, {}, async ({ queue, add, take, takeId }) => {
      await add({ group: "old" });
      await queue.complete(await take(), DONE);
      await add(...Array.from({ length: 50 }, () => ({ group: "busy" })));
      for (let index = 0; index < 50; index++) await queue.complete(await take(), DONE);
      assert.equal(await takeId(), null);
      await add(...Array.from({ length: 20 }, () => ({ group: "old" })), { group: "busy" });
      const next = [await take(), await take(), await take()].map(({ job }) => job.group);
      assert.ok(next.includes("busy"), next.join());
    }),
  );

  test(on("a group's turns in one lane don't cost it turns in another"), () =>
    withQueue(engine, {}, async ({ queue, add, take }) => {
      await add(...Array.from({ length: 10 }, () => ({ group: "acme", lane: "review" })));
      await add(...Array.from({ length: 10 }, () => ({ group: "globex", lane: "mention" })));
      await add({ group: "acme", lane: "mention" });
      const mentions: string[] = [];
      for (let index = 0; index < 3; index++) {
        const mention = await take(["mention"]);
        mentions.push(mention.job.group);
        await queue.complete(mention, DONE);
        await queue.complete(await take(["review"]), DONE);
      }
      assert.ok(mentions.slice(0, 2).includes("acme"), mentions.join());
    }),
  );
}
