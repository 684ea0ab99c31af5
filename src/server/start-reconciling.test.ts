import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createLog } from "../base/log.ts";
import { planReconcile, RECONCILE_EVERY_MS } from "../jobs/reconcile.ts";
import { type Queue, QUEUE_DEFAULTS } from "../queue/queue.ts";
import { createSqliteQueue } from "../queue/sqlite/sqlite-queue.ts";
import { openStore } from "../store/store.ts";
import { startReconciling } from "./start-reconciling.ts";

test("a reconciler that takes longer than a period isn't superseded; the next period queues another", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-reconciling-"));
  const store = await openStore(`sqlite:${join(folder, "kodiai.db")}`);
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const { database } = store;
  let now = 7 * RECONCILE_EVERY_MS;
  const queue = createSqliteQueue(database, QUEUE_DEFAULTS, () => now);
  await database.transaction((sql) => queue.enqueue([planReconcile(now)], sql));
  const claim = await queue.claim({ worker: "test", lanes: null });
  assert.ok(claim !== null);
  const log = createLog({ level: "error", format: "text", write: assert.fail, now: () => now });

  /** Starts it, and stops it after it has listed the jobs or queued one. */
  const startOnce = async (until: "listed" | "queued"): Promise<void> => {
    const decided = Promise.withResolvers<void>();
    const watched: Queue = {
      ...queue,
      async list(filter) {
        const found = await queue.list(filter);
        if (until === "listed") setImmediate(decided.resolve);
        return found;
      },
      wake: () => decided.resolve(),
    };
    const stop = startReconciling({ database, queue: watched, log, now: () => now });
    await decided.promise;
    stop();
  };

  now += RECONCILE_EVERY_MS;
  await startOnce("listed");
  assert.equal(await queue.heartbeat(claim, "sweeping"), "held");
  await queue.complete(claim, { state: "done", reason: "reconciled" });
  await startOnce("queued");
  const [next] = await queue.list({ states: ["queued"], limit: 10 });
  assert.equal(next?.key, planReconcile(now).key);
});
