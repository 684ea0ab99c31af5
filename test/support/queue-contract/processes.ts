/** Contract tests of several processes that share a queue, some of which are killed or freeze. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { QUEUE_DEFAULTS } from "../../../src/queue/queue.ts";
import { type Engine, withStore } from "./engines.ts";
import { DONE, requestOf } from "./sample-queue.ts";
import { type Note, readNotes, startWorker, type WorkerProcess } from "./start-worker.ts";
import type { Queue, QueueOptions } from "../../../src/queue/queue.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Setup } from "./worker-process.ts";

// Jobs of killed processes return after this time. A live process on a busy machine must never need this long for a step.
const LEASE_MS = 10_000;

type Scene = {
  readonly store: Store;
  readonly setup: Setup;
  readonly start: () => Promise<WorkerProcess>;
  /** Opens a queue in this process whose clock is ahead by `aheadMs`. */
  readonly open: (aheadMs?: number) => Promise<Queue>;
};

async function withScene(
  engine: Engine,
  { signal, ...options }: Partial<QueueOptions> & { readonly signal: AbortSignal },
  work: (scene: Scene) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-queue-"));
  const notes = join(folder, "notes");
  writeFileSync(notes, "");
  const started: WorkerProcess[] = [];
  const killAll = async (): Promise<void> => {
    for (const worker of started) await worker.kill();
  };
  signal.addEventListener("abort", () => void killAll());
  try {
    await withStore(engine, async (store, url) => {
      const setup = { engine: engine.name, url, options: { ...QUEUE_DEFAULTS, ...options }, notes };
      const start = async (): Promise<WorkerProcess> => {
        const worker = await startWorker(setup);
        started.push(worker);
        return worker;
      };
      const opened: Queue[] = [];
      const open = async (aheadMs = 0): Promise<Queue> => {
        const queue = await engine.openQueue(store, setup.options, () => store.now() + aheadMs);
        opened.push(queue);
        return queue;
      };
      try {
        await work({ store, setup, start, open });
      } finally {
        for (const queue of opened) await queue.close();
      }
    });
  } finally {
    // Leftovers of a failed test must not keep the test process waiting.
    await killAll();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the most jobs of one serial key, and of one group, that were held at the same time. */
function mostAtOnce(notes: readonly Note[]): { readonly perKey: number; readonly perGroup: number } {
  const held = new Map<number, Note>();
  let [perKey, perGroup] = [0, 0];
  for (const note of notes) {
    if (note.what === "start") held.set(note.id, note);
    else if (note.what === "end") held.delete(note.id);
    else for (const [id, { pid }] of held) if (pid === note.pid) held.delete(id);
    const now = [...held.values()];
    const most = (of: (note: Note) => string | null): number =>
      Math.max(
        0,
        ...now
          .filter((one) => of(one) !== null)
          .map((one) => now.filter((other) => of(other) === of(one)).length),
      );
    perKey = Math.max(
      perKey,
      most(({ serialKey }) => serialKey),
    );
    perGroup = Math.max(
      perGroup,
      most(({ group }) => group),
    );
  }
  return { perKey, perGroup };
}

export function testProcesses(engine: Engine): void {
  const on = (title: string): string => `${engine.name}: ${title}`;

  test(
    on("killed processes lose no job, and serial keys and group limits hold across processes"),
    ({ signal }) =>
      withScene(
        engine,
        { signal, leaseMs: LEASE_MS, groupLimit: 2 },
        async ({ store, setup, start, open }) => {
          const requests = Array.from({ length: 240 }, (_, index) =>
            requestOf({ group: `group-${index % 3}`, serialKey: `pr-${index % 24}` }),
          );
          const queue = await open();
          const enqueued = await store.database.transaction((sql) => queue.enqueue(requests, sql));
          assert.ok(enqueued.every(({ isNew }) => isNew));

          // These three are killed while they hold a job and other workers are running.
          const doomed = await Promise.all([start(), start(), start()]);
          const workers = await Promise.all([start(), start(), start()]);
          const killed: unknown[] = [];
          for (const one of doomed) killed.push(await one.send({ kind: "claim" }));
          const drained = Promise.all(workers.map((worker) => worker.send({ kind: "drain" })));
          for (const one of doomed) await one.kill();
          const completed = await drained;
          for (const worker of workers) await worker.stop();

          assert.equal(new Set(killed).size, 3);
          assert.equal(
            completed.map(Number).reduce((sum, count) => sum + count),
            requests.length,
          );
          const ended = await queue.list({ states: ["done"], limit: 1_000 });
          assert.equal(ended.length, requests.length);
          assert.deepEqual(
            new Set(ended.filter(({ deaths }) => deaths > 0).map(({ id }) => id)),
            new Set(killed),
          );

          const notes = readNotes(setup.notes);
          const { perKey, perGroup } = mostAtOnce(notes);
          assert.equal(perKey, 1);
          assert.ok(perGroup <= 2, `${perGroup} jobs of one group at once`);
          assertInOrder(notes);
        },
      ),
  );

  test(on("a worker that freezes past its lease is fenced when it continues"), ({ signal }) =>
    withScene(engine, { signal }, async ({ store, setup, start, open }) => {
      const punctual = await open();
      // This clock is ahead by more than a lease, so the test doesn't have to wait for one.
      const aheadMs = 2 * setup.options.leaseMs;
      const late = await open(aheadMs);
      const [added] = await store.database.transaction((sql) =>
        punctual.enqueue([requestOf({ serialKey: "pr-1" })], sql),
      );
      const worker = await start();
      assert.equal(await worker.send({ kind: "claim" }), added?.jobId);
      assert.equal(await worker.send({ kind: "heartbeat" }), "held");
      worker.freeze();
      const next = await late.claim({ worker: "successor", lanes: null });
      assert.equal(next?.job.id, added?.jobId);
      assert.equal(next?.job.deaths, 1);
      worker.thaw();
      assert.equal(await worker.send({ kind: "heartbeat" }), "lost");
      assert.equal(await worker.send({ kind: "complete" }), false);
      assert.equal((await late.read(next?.job.id ?? -1))?.state, "running");
      assert.ok(next !== null && (await late.complete(next, DONE)));
      await worker.stop();
    }),
  );

  test(
    on("[P19] processes that make random calls lose no job, finish every job, and keep order and limits"),
    ({ signal }) =>
      withScene(
        engine,
        { signal, leaseMs: LEASE_MS, groupLimit: 2, backoffMs: 5, maxBackoffMs: 10 },
        async ({ setup, start, open }) => {
          const workers = await Promise.all([start(), start(), start(), start()]);
          await Promise.all(workers.map((worker) => worker.send({ kind: "churn", calls: 150 })));
          // Every job still queued must be claimable, or the drain would never end.
          await Promise.all(workers.map((worker) => worker.send({ kind: "drain" })));
          for (const worker of workers) await worker.stop();
          const jobs = await (await open()).list({ states: null, limit: 2_000 });
          assert.ok(jobs.length > 200, `${jobs.length} jobs`);
          assert.deepEqual(
            jobs.filter(({ finishedAt, reason }) => finishedAt === null || reason === null),
            [],
          );
          assert.deepEqual(
            jobs.filter(({ deaths }) => deaths > 0),
            [],
          );
          const { perKey, perGroup } = mostAtOnce(readNotes(setup.notes));
          assert.equal(perKey, 1);
          assert.ok(perGroup <= 2, `${perGroup} jobs of one group at once`);
        },
      ),
  );

  test(on("processes that enqueue the same keys create one job per key"), ({ signal }) =>
    withScene(engine, { signal }, async ({ start, open }) => {
      const keys = Array.from({ length: 100 }, (_, index) => `key-${index}`);
      const workers = await Promise.all([start(), start(), start()]);
      const answers = await Promise.all(
        workers.map((worker, index) =>
          worker.send({ kind: "enqueue", keys: index === 1 ? keys.toReversed() : keys }),
        ),
      );
      for (const worker of workers) await worker.stop();
      const added = answers.flatMap((answer) => (Array.isArray(answer) ? answer : [])).filter(Boolean);
      assert.equal(added.length, keys.length);
      const queue = await open();
      assert.equal((await queue.stats()).queued, keys.length);
    }),
  );
}

/** Checks that jobs with one serial key first started in enqueue order. */
function assertInOrder(notes: readonly Note[]): void {
  const started = new Map<string, number>();
  for (const { what, serialKey, id } of notes) {
    if (what !== "start" || serialKey === null) continue;
    const before = started.get(serialKey) ?? 0;
    assert.ok(id >= before, `job ${id} of ${serialKey} was started after ${before}`);
    started.set(serialKey, id);
  }
}
