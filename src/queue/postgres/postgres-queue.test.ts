/** Tests races between two transactions: one is stopped at the worst moment while the other runs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  COMMIT,
  gateDatabase,
  type GatedDatabase,
  untilBlocked,
} from "../../../test/support/postgres/gated-database.ts";
import { engineNamed, withStore } from "../../../test/support/queue-contract/engines.ts";
import { DONE, idsOf, requestOf, withQueue } from "../../../test/support/queue-contract/sample-queue.ts";
import type { Database } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import { type Claim, type JobRequest, type Queue, QUEUE_DEFAULTS, type QueueOptions } from "../queue.ts";
import { openPostgresQueue } from "./postgres-queue.ts";

const postgres = engineNamed("postgres");

type Race = {
  /** A queue whose transactions the test can stop. */
  readonly slow: Queue;
  readonly quick: Queue;
  readonly slowDatabase: Database;
  readonly holdBefore: GatedDatabase["holdBefore"];
  readonly store: Store;
  readonly now: () => number;
  readonly pass: (ms: number) => void;
  readonly add: (...requests: readonly Partial<JobRequest>[]) => Promise<readonly number[]>;
};

function race(options: Partial<QueueOptions>, work: (queues: Race) => Promise<void>): Promise<void> {
  return withStore(postgres, async (store) => {
    const { database, holdBefore } = gateDatabase(store.database);
    let time = 1_700_000_000_000;
    const now = (): number => time;
    const all = { ...QUEUE_DEFAULTS, ...options };
    const slow = await postgres.openQueue({ ...store, database }, all, now);
    const quick = await postgres.openQueue(store, all, now);
    const add = async (...requests: readonly Partial<JobRequest>[]): Promise<readonly number[]> =>
      idsOf(await store.database.transaction((sql) => quick.enqueue(requests.map(requestOf), sql)));
    try {
      await work({
        slow,
        quick,
        slowDatabase: database,
        holdBefore,
        store,
        now,
        pass: (ms) => void (time += ms),
        add,
      });
    } finally {
      await slow.close();
      await quick.close();
    }
  });
}

async function take(queue: Queue, lanes: readonly string[] | null = null): Promise<Claim> {
  const claim = await queue.claim({ worker: "tester", lanes });
  assert.ok(claim !== null, "there should have been a job to claim");
  return claim;
}

const takeId = async (queue: Queue): Promise<number | null> =>
  (await queue.claim({ worker: "tester", lanes: null }))?.job.id ?? null;

test("a job enqueued while the last job of a full group ends is claimed", () =>
  race({ groupLimit: 1 }, async ({ slow, quick, holdBefore, store, add }) => {
    await add({});
    const held = await take(slow);
    const gate = holdBefore(COMMIT);
    const leaving = slow.complete(held, DONE);
    await gate.reached;
    const [next] = await add({});
    const claiming = takeId(quick);
    await untilBlocked(claiming, store.database);
    gate.open();
    await leaving;
    assert.equal((await claiming) ?? (await takeId(quick)), next);
  }));

test("a job cancelled during its claim is cancelled by its worker and doesn't block its group", () =>
  race({ groupLimit: 1 }, async ({ slow, quick, holdBefore, store, add }) => {
    const [first = -1, second] = await add({}, {});
    const gate = holdBefore(COMMIT);
    const claiming = take(slow);
    await gate.reached;
    const cancelling = quick.cancel(first, "by-hand");
    await untilBlocked(cancelling, store.database);
    gate.open();
    const claim = await claiming;
    assert.equal(await cancelling, true);
    assert.equal(claim.job.id, first);
    assert.equal(await slow.heartbeat(claim, "working"), "cancelled");
    assert.equal(await takeId(quick), null);
    assert.equal(await slow.complete(claim, { state: "cancelled", reason: "by-hand" }), true);
    assert.equal(await takeId(quick), second);
  }));

test("pruning idle turns keeps a turn that gets a job in the meantime", () =>
  race({ groupLimit: 1 }, async ({ slow, quick, store, add, now }) => {
    for (const group of ["first", "second"]) {
      await add({ group });
      await quick.complete(await take(quick), DONE);
      assert.equal(await takeId(quick), null);
    }
    await add({ group: "second", lane: "event" });
    const held = await take(quick);
    const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = store.database.transaction(async (sql) => {
      await sql.query("select lane from job_turns where job_group = 'first' for update");
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    const pruning = slow.prune(now());
    await untilBlocked(pruning, store.database);
    const [next] = await add({ group: "second" });
    assert.equal(await takeId(quick), null);
    released.resolve();
    await Promise.all([holding, pruning]);
    await quick.complete(held, DONE);
    assert.equal(await takeId(quick), next);
  }));

test("pruning old jobs keeps a job that is requeued in the meantime", () =>
  race({}, async ({ slow, quick, holdBefore, store, add, now }) => {
    const [id = -1] = await add({ serialKey: "pr-1" });
    await quick.complete(await take(quick), { state: "failed", reason: "failed:x" });
    const gate = holdBefore(COMMIT);
    const requeuing = slow.requeue(id);
    await gate.reached;
    const pruning = quick.prune(now() + 1);
    await untilBlocked(pruning, store.database);
    gate.open();
    assert.deepEqual([await requeuing, await pruning], [true, 0]);
    assert.equal(await takeId(quick), id);
  }));

test("due jobs are claimed while another due job is being superseded", () =>
  race({}, async ({ slow, quick, slowDatabase, holdBefore, add, pass }) => {
    const [, other] = await add({ serialKey: "pr-1", delayMs: 10 }, { group: "globex", delayMs: 10 });
    pass(10);
    const gate = holdBefore(COMMIT);
    const request = requestOf({ serialKey: "pr-1", supersedes: true });
    const replacing = slowDatabase.transaction((sql) => slow.enqueue([request], sql));
    await gate.reached;
    assert.equal(await takeId(quick), other);
    gate.open();
    const [replacement] = idsOf(await replacing);
    assert.equal(await takeId(quick), replacement);
    assert.equal(await takeId(quick), null);
  }));

test("jobs in a lane that another process has just created are found at once", () =>
  race({}, async ({ slow, quick, store }) => {
    assert.equal(await takeId(slow), null);
    const [added] = await store.database.transaction((sql) =>
      quick.enqueue([requestOf({ lane: "new" })], sql),
    );
    assert.equal(await takeId(slow), added?.jobId);
  }));

test("a claim ends only the lost leases it has locked, and blocks no other claim", () =>
  race({ leaseMs: 100 }, async ({ slow, quick, holdBefore, add, pass }) => {
    // One more than a claim ends, in the order in which a claim reads them.
    const names = Array.from({ length: 21 }, (_, index) => `g${String(index).padStart(2, "0")}`);
    const ids = await add(...names.map((name) => ({ group: name, serialKey: name })));
    const claims: Claim[] = [];
    for (const _ of names) claims.push(await take(quick));
    const [other] = await add({ group: "other" });
    pass(1_000);
    const gate = holdBefore("set deaths = deaths +");
    const claiming = takeId(slow);
    await gate.reached;
    const first = claims.find(({ job }) => job.group === "g00");
    assert.ok(first !== undefined);
    assert.equal(await quick.heartbeat(first, "working"), "held");
    assert.equal(await takeId(quick), other);
    gate.open();
    assert.ok((await claiming) !== null);
    const ended = await Promise.all(ids.map(async (id) => (await quick.read(id))?.isSuspect));
    assert.deepEqual(ended, [false, ...Array.from({ length: 19 }, () => true), false]);
  }));

test("a turn in a reserved lane that was copied from another database does no harm", () =>
  withQueue(postgres, {}, async ({ queue, database, add, take: takeNext, takeId: takeNextId }) => {
    await database.query(
      "insert into job_turns (lane, job_group, is_shared, is_waiting, turn) values ('only:here:1', 'acme', 0, 0, 7)",
    );
    await add({ lane: "only:here:1" }, {});
    assert.equal(await queue.complete(await takeNext(), DONE), true);
    assert.equal(await takeNextId(), null);
    assert.notEqual(await takeNextId(["only:here:1"]), null);
  }));

test("other lanes are scanned even after the server's clock was set back", () =>
  withQueue(postgres, {}, async ({ add, takeId: takeNextId, pass }) => {
    const [first] = idsOf(await add({ lane: "a" }, { lane: "a" }));
    assert.equal(await takeNextId(), first);
    pass(-3_600_000);
    const [other] = idsOf(await add({ lane: "b" }));
    assert.equal(await takeNextId(), other);
  }));

test("pg-boss's own errors are reported with their message", (t) =>
  withStore(postgres, async (store) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const queue = await openPostgresQueue({ ...store, options: QUEUE_DEFAULTS, onError });
    await store.database.query("drop schema kodiai_queue cascade");
    t.mock.timers.tick(60_000);
    while (errors.length === 0) await sleep(1);
    await queue.close();
    assert.ok(errors[0] instanceof Error && errors[0].message.includes("kodiai_queue"), String(errors[0]));
  }));
