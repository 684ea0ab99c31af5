import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../test/support/queue-contract/engines.ts";
import { createLog } from "../base/log.ts";
import { KodiaiError } from "../base/errors.ts";
import type { Forge } from "../forge/forge.ts";
import type { Job, Queue } from "../queue/queue.ts";
import type { Database } from "../store/database.ts";
import { appendNotebookRow, readNotebookRows } from "../store/repositories/notebooks.ts";
import { recordedRuns, saveRecording } from "../store/repositories/recordings.ts";
import { insertSpending, lockSpending, sumSpendings } from "../store/repositories/spendings.ts";
import { countTimeouts, recordTimeout } from "../store/repositories/timeouts.ts";
import type { MemorySource } from "./memory/memory-source.ts";
import type { JobContext } from "./recipe.ts";
import { createReconcileRecipe, planReconcile, RECONCILE_EVERY_MS } from "./reconcile.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

test("servers that start within one period share one reconcile job; the next period gets another", () => {
  const start = 7 * RECONCILE_EVERY_MS;
  assert.equal(planReconcile(start).key, planReconcile(start + RECONCILE_EVERY_MS - 1).key);
  assert.notEqual(planReconcile(start).key, planReconcile(start + RECONCILE_EVERY_MS).key);
});

function emptyDatabase(): Pick<Database, "query" | "transaction"> {
  const database: Pick<Database, "query" | "transaction"> = {
    query: async () => [],
    transaction: (work) => work(database),
  };
  return database;
}

/** A reconciler with its own clock. `looks` records how far back each run looked, and whether it swept. */
function bench(database: Pick<Database, "query" | "transaction"> = emptyDatabase()) {
  const state = { now: 10 * HOUR_MS, isCutOff: false, failed: 0 };
  const looks: { backMs: number; isSwept: boolean }[] = [];
  const forge: Pick<Forge, "redeliverFailed" | "listOpenPullRequests"> = {
    async redeliverFailed(withinMs) {
      if (state.isCutOff) throw new KodiaiError("network", "no answer", { hint: "Wait.", retryable: true });
      looks.push({ backMs: withinMs, isSwept: false });
      return state.failed;
    },
    listOpenPullRequests() {
      const look = looks.at(-1);
      if (look !== undefined) look.isSwept = true;
      return { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }) };
    },
  };
  const queue: Pick<Queue, "list" | "prune"> = { list: async () => [], prune: async () => 0 };
  const recipe = createReconcileRecipe({
    // Test doubles: calling any other method throws.
    forge: forge as Forge,
    queue: queue as Queue,
    database: database as Database,
    telemetry: emptyDatabase() as Database,
    memory: {} as MemorySource,
    repositoryIds: { idOf: async ({ forgeId }) => forgeId },
    now: () => state.now,
  });
  const context: JobContext = {
    job: {} as Job,
    signal: new AbortController().signal,
    log: createLog({ level: "error", format: "text", write: () => {}, now: () => 0 }),
    step: async () => {},
    lease: async () => "held",
    keepStatistics: () => {},
    countModelUse: () => {},
  };
  const runAt = (minutes: number) => {
    state.now = 10 * HOUR_MS + minutes * MINUTE_MS;
    return recipe.run(context);
  };
  return { state, looks, runAt };
}

test("the first run and one per hour check everything; runs in between check recent deliveries", async () => {
  const { looks, runAt } = bench();
  for (const minutes of [0, 5, 10, 55, 60]) await runAt(minutes);
  const full = { backMs: 72 * HOUR_MS, isSwept: true };
  const young = { backMs: 30 * MINUTE_MS, isSwept: false };
  // No run happened between minutes 10 and 55.
  assert.deepEqual(looks, [full, young, young, full, young]);
});

test("a run that finds failed deliveries also sweeps", async () => {
  const { state, looks, runAt } = bench();
  await runAt(0);
  state.failed = 1;
  await runAt(5);
  assert.deepEqual(looks[1], { backMs: 30 * MINUTE_MS, isSwept: true });
});

test("the first run after an outage checks everything, because early failures are no longer recent", async () => {
  const { state, looks, runAt } = bench();
  await runAt(0);
  state.isCutOff = true;
  for (const minutes of [5, 10, 15, 20, 25, 30, 35]) await assert.rejects(runAt(minutes));
  state.isCutOff = false;
  await runAt(40);
  assert.deepEqual(looks.at(-1), { backMs: 72 * HOUR_MS, isSwept: true });
});

for (const engine of ENGINES) {
  test(`${engine.name}: recordings are deleted after 30 days, notebooks and timeouts after 90`, () =>
    withStore(engine, async ({ database }) => {
      const { state, runAt } = bench(database);
      const now = state.now;
      const ages = [29, 31, 89, 91];
      for (const [index, days] of ages.entries()) {
        const [runId, at] = [index + 1, now - days * 24 * HOUR_MS];
        await saveRecording({ runId, at, content: {} }, database);
        await appendNotebookRow({ runId, pass: "review", kind: "summary", body: "{}", at }, database);
        await recordTimeout({ runId, repositoryId: 1, author: "ada", at }, database);
      }
      await runAt(0);
      assert.deepEqual([...(await recordedRuns([1, 2, 3, 4], database))], [1]);
      const left = await Promise.all([1, 2, 3, 4].map((runId) => readNotebookRows(runId, database)));
      assert.deepEqual(
        left.map((rows) => rows.length),
        [1, 1, 1, 0],
      );
      const sinceMs = Number.MIN_SAFE_INTEGER;
      assert.equal(await countTimeouts({ repositoryId: 1, author: "ada", sinceMs }, database), 3);
    }));

  test(`${engine.name}: the spending of a pull request is deleted after a year without activity`, () =>
    withStore(engine, async ({ database }) => {
      const { state, runAt } = bench(database);
      const scope = { runId: 1, installationId: 1, repositoryId: 1, author: "ada", isOutsider: false };
      const ages = [1, 31, 364, 366];
      await lockSpending(scope.installationId, state.now, database);
      for (const days of ages) {
        const at = state.now - days * 24 * HOUR_MS;
        const spending = { ...scope, pullRequest: days, model: "a:x", microUsd: 1_000, at };
        await insertSpending(spending, database);
      }
      await runAt(0);
      const left = ages.map((pullRequest) =>
        sumSpendings({ ...scope, pullRequest }, { of: "pull-request" }, { exceptId: null, sql: database }),
      );
      assert.deepEqual(await Promise.all(left), [1_000, 1_000, 1_000, 0]);
    }));
}
