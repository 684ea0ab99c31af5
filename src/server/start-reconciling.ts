/** Queues the reconciler: at the start, since something may have been missed while nobody listened, and then every period. */
import type { Log } from "../base/log.ts";
import { planReconcile, RECONCILE_EVERY_MS } from "../jobs/reconcile.ts";
import type { Queue } from "../queue/queue.ts";
import type { Database } from "../store/database.ts";

export type ReconcilingDeps = {
  readonly database: Database;
  readonly queue: Queue;
  readonly log: Log;
  readonly now: () => number;
};

/** The function stops it. */
export function startReconciling({ database, queue, log, now }: ReconcilingDeps): () => void {
  const enqueue = async (): Promise<void> => {
    try {
      await database.transaction((sql) => queue.enqueue([planReconcile(now())], sql));
      queue.wake();
    } catch (error) {
      log.error("the reconciler could not be queued", {
        error: error instanceof Error ? error.message : String(error),
      });
    }
  };
  void enqueue();
  const timer = setInterval(() => void enqueue(), RECONCILE_EVERY_MS);
  return () => clearInterval(timer);
}
