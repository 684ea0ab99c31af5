/** What holds when several processes work on one queue, and some of them die or freeze. */
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

// The jobs of killed processes come back after it; a live one on a busy machine must never need so long for a step.
const LEASE_MS = 4_000;

// A minute is many times what these need; without it a lost job would be waited for forever.
const LIMIT = { timeout: 60_000 };

type Scene = {
  readonly store: Store;
  readonly setup: Setup;
  readonly start: () => Promise<WorkerProcess>;
  /** A queue in this process; its clock is ahead by so much. */
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
    // What a failed test leaves behind must not keep its process waiting.
    await killAll();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Goes through what happened: how many of each serial key and group were held at once, at most. */
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
    on(
      "processes of which some are killed lose no job, run none beside another of its key, and keep the limit",
    ),
    LIMIT,
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

          // These three die with a job in their hands, when others are at work already.
          const doomed = await Promise.all([start(), start(), start()]);
          const workers = await Promise.all([start(), start(), start()]);
          const killed: unknown[] = [];
          for (const one of doomed) killed.push(await one.tell({ kind: "claim" }));
          const drained = Promise.all(workers.map((worker) => worker.tell({ kind: "drain" })));
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

  test(on("a worker that froze past its lease finds itself fenced when it goes on"), LIMIT, ({ signal }) =>
    withScene(engine, { signal }, async ({ store, setup, start, open }) => {
      const punctual = await open();
      // This one's clock is ahead by more than the lease, so that nobody has to wait for it.
      const aheadMs = 2 * setup.options.leaseMs;
      const late = await open(aheadMs);
      const [added] = await store.database.transaction((sql) =>
        punctual.enqueue([requestOf({ serialKey: "pr-1" })], sql),
      );
      const worker = await start();
      assert.equal(await worker.tell({ kind: "claim" }), added?.jobId);
      assert.equal(await worker.tell({ kind: "heartbeat" }), "held");
      worker.freeze();
      const heir = await late.claim({ worker: "heir", lanes: null });
      assert.equal(heir?.job.id, added?.jobId);
      assert.equal(heir?.job.deaths, 1);
      worker.thaw();
      assert.equal(await worker.tell({ kind: "heartbeat" }), "lost");
      assert.equal(await worker.tell({ kind: "complete" }), false);
      assert.equal((await late.read(heir?.job.id ?? -1))?.state, "running");
      assert.ok(heir !== null && (await late.complete(heir, DONE)));
      await worker.stop();
    }),
  );

  test(
    on("[P19] processes that call as chance has it lose no job, leave none behind, and keep order and limit"),
    LIMIT,
    ({ signal }) =>
      withScene(
        engine,
        { signal, leaseMs: LEASE_MS, groupLimit: 2, backoffMs: 5, maxBackoffMs: 10 },
        async ({ setup, start, open }) => {
          const workers = await Promise.all([start(), start(), start(), start()]);
          await Promise.all(workers.map((worker) => worker.tell({ kind: "churn", calls: 150 })));
          // Whatever is still queued can be claimed, or the drain would never end.
          await Promise.all(workers.map((worker) => worker.tell({ kind: "drain" })));
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

  test(on("processes that enqueue the same keys make one job of each"), LIMIT, ({ signal }) =>
    withScene(engine, { signal }, async ({ start, open }) => {
      const keys = Array.from({ length: 100 }, (_, index) => `key-${index}`);
      const workers = await Promise.all([start(), start(), start()]);
      const answers = await Promise.all(
        workers.map((worker, index) =>
          worker.tell({ kind: "enqueue", keys: index === 1 ? keys.toReversed() : keys }),
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

/** Jobs of one serial key were first started in the order of their coming. */
function assertInOrder(notes: readonly Note[]): void {
  const started = new Map<string, number>();
  for (const { what, serialKey, id } of notes) {
    if (what !== "start" || serialKey === null) continue;
    const before = started.get(serialKey) ?? 0;
    assert.ok(id >= before, `job ${id} of ${serialKey} was started after ${before}`);
    started.set(serialKey, id);
  }
}
