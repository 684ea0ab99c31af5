/**
 * Contract tests of fairness under a large backlog: no group waits more than twice its fair share, measured by the order in
 * which several workers claim jobs. With KODIAI_TEST_LONG=1 the tests use 10,000 jobs of 50 groups.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";
import { type JobRequest, type Queue, QUEUE_DEFAULTS } from "../../../src/queue/queue.ts";
import { type Engine, withStore } from "./engines.ts";
import { DONE, requestOf, withQueue } from "./sample-queue.ts";
import { startWorker } from "./start-worker.ts";
import type { Setup } from "./worker-process.ts";
import { isLong } from "../extent.ts";

/** Number of jobs per group: most groups have few, some have many. They add up to 10,000, or to a tenth of it. */
const SIZES = isLong
  ? [...times(25, 10), ...times(15, 50), ...times(5, 200), ...times(3, 1_000), ...times(2, 2_500)]
  : [...times(25, 2), ...times(15, 6), ...times(5, 20), ...times(3, 100), ...times(2, 230)];

const TOTAL = SIZES.reduce((sum, size) => sum + size, 0);

const GROUP_LIMIT = 4;

const PROCESSES = 3;

const WORKERS = 8;

/** Jobs added per transaction. */
const BATCH = 500;

type Claimed = {
  readonly group: string;
  /** Groups at their limit at that moment. */
  readonly full: ReadonlySet<string>;
};

export function testFairness(engine: Engine): void {
  test(`[P20] ${engine.name}: with a large and uneven backlog, no group waits more than twice its fair share`, (t) =>
    withQueue(engine, { groupLimit: GROUP_LIMIT }, async (sample) => {
      const sizes = sizesByGroup();
      await fill(sample.add, sizes);
      const startedAt = performance.now();
      const order = await drain(sample.queue);
      const ms = Math.round(performance.now() - startedAt);
      assert.deepEqual(countsOf(order), sizes);
      const toNext = longestTurn(order, sizes);
      const toLast = longestEnd(order, sizes);
      t.diagnostic(JSON.stringify({ jobs: order.length, groups: sizes.size, ms, toNext, toLast }));
      assert.ok(toNext <= 2, `a group waited ${toNext} times its share for its next job`);
      assert.ok(toLast <= 2, `a group waited ${toLast} times its share for its last job`);
    }));
}

export function testFairnessOfProcesses(engine: Engine): void {
  test(`[P20] ${engine.name}: with several processes no group waits more than twice its fair share`, (t) =>
    withStore(engine, async (store, url) => {
      const sizes = sizesByGroup();
      const options = { ...QUEUE_DEFAULTS, groupLimit: GROUP_LIMIT };
      const queue = await engine.openQueue(store, options, store.now);
      try {
        const add = (...requests: readonly Partial<JobRequest>[]) =>
          store.database.transaction((sql) => queue.enqueue(requests.map(requestOf), sql));
        await fill(add, sizes);
        await drainByProcesses(t, { engine: engine.name, url, options });
        const ended = await queue.list({ states: ["done"], limit: TOTAL });
        const order = ended.toSorted((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0) || a.id - b.id);
        assert.deepEqual(countsOf(order), sizes);
        // The order of claims is less exact across processes, so the test checks the total wait instead of each turn.
        const toLast = longestEnd(order, sizes);
        t.diagnostic(
          JSON.stringify({ jobs: order.length, groups: sizes.size, processes: PROCESSES, toLast }),
        );
        assert.ok(toLast <= 2, `a group waited ${toLast} times its share for its last job`);
      } finally {
        await queue.close();
      }
    }));
}

async function drainByProcesses(t: TestContext, setup: Omit<Setup, "notes">): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-queue-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const notes = join(folder, "notes");
  const workers = await Promise.all(times(PROCESSES, { ...setup, notes }).map(startWorker));
  t.after(() => Promise.all(workers.map((worker) => worker.kill())));
  await Promise.all(workers.map((worker) => worker.send({ kind: "drain" })));
  await Promise.all(workers.map((worker) => worker.stop()));
}

function sizesByGroup(): ReadonlyMap<string, number> {
  return new Map(SIZES.map((size, index) => [`group-${index}`, size]));
}

/** Adds the largest groups first, so that an engine that always takes the oldest job fails the test. */
async function fill(
  add: (...requests: readonly Partial<JobRequest>[]) => Promise<unknown>,
  sizes: ReadonlyMap<string, number>,
): Promise<void> {
  const largestFirst = [...sizes].toSorted(([, a], [, b]) => b - a);
  const requests = largestFirst.flatMap(([group, size]) => times(size, { group }));
  for (let at = 0; at < requests.length; at += BATCH) await add(...requests.slice(at, at + BATCH));
}

/** Runs workers until the queue is empty and returns the claims in order. */
async function drain(queue: Queue): Promise<readonly Claimed[]> {
  const order: Claimed[] = [];
  const held = new Map<string, number>();
  const hold = (group: string, by: number): void => void held.set(group, (held.get(group) ?? 0) + by);
  const work = async (worker: string): Promise<void> => {
    for (;;) {
      const claim = await queue.claim({ worker, lanes: null });
      // A job held by another worker may free its group for more jobs.
      if (claim === null && [...held.values()].every((count) => count === 0)) return;
      if (claim === null) {
        await setImmediate();
        continue;
      }
      const { group } = claim.job;
      const full = [...held].filter(([, count]) => count >= GROUP_LIMIT).map(([name]) => name);
      order.push({ group, full: new Set(full) });
      hold(group, 1);
      await queue.complete(claim, DONE);
      hold(group, -1);
    }
  };
  await Promise.all(times(WORKERS, "worker").map(work));
  return order;
}

function countsOf(order: readonly Pick<Claimed, "group">[]): ReadonlyMap<string, number> {
  const claims = Map.groupBy(order, ({ group }) => group);
  return new Map([...claims].map(([group, of]) => [group, of.length]));
}

/**
 * A waiting group below its limit is due one claim in N, where N is the number of groups with queued jobs. Returns the
 * longest wait between two claims of a group, as a multiple of that.
 */
function longestTurn(order: readonly Claimed[], sizes: ReadonlyMap<string, number>): number {
  const left = new Map(sizes);
  const waited = new Map([...sizes.keys()].map((group) => [group, 0]));
  const share = new Map([...sizes.keys()].map((group) => [group, sizes.size]));
  let longest = 0;
  for (const { group, full } of order) {
    longest = Math.max(longest, (waited.get(group) ?? 0) / (share.get(group) ?? 0));
    for (const [other, count] of waited) if (!full.has(other)) waited.set(other, count + 1);
    waited.set(group, 0);
    const rest = (left.get(group) ?? 0) - 1;
    left.set(group, rest);
    if (rest === 0) left.delete(group);
    share.set(group, left.size);
  }
  return longest;
}

/**
 * With perfect round-robin, the last job of a group with N jobs is claimed after the sum of min(M, N) claims over all
 * groups with M jobs. Returns the longest wait for a group's last job, as a multiple of that.
 */
function longestEnd(order: readonly Pick<Claimed, "group">[], sizes: ReadonlyMap<string, number>): number {
  const ends = new Map(order.map(({ group }, index) => [group, index + 1]));
  const waits = [...sizes].map(([group, size]) => {
    const fair = [...sizes.values()].reduce((sum, other) => sum + Math.min(other, size), 0);
    return (ends.get(group) ?? Infinity) / fair;
  });
  return Math.max(...waits);
}

function times<Value>(count: number, value: Value): Value[] {
  return Array.from({ length: count }, () => value);
}
