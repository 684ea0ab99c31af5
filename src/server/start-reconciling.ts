/** Queues the reconciler at startup, because deliveries may have been missed while the server was down, and then periodically. */
import { messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import { planReconcile, RECONCILE_EVERY_MS, RECONCILE_KIND } from "../jobs/reconcile.ts";
import type { Queue } from "../queue/queue.ts";
import type { Database } from "../store/database.ts";

export type ReconcilingDeps = {
  readonly database: Database;
  readonly queue: Queue;
  readonly log: Log;
  readonly now: () => number;
};

/** More than any installation runs at a time. */
const MAX_RUNNING = 1_000;

/** Returns a function that stops it. */
export function startReconciling({ database, queue, log, now }: ReconcilingDeps): () => void {
  const enqueue = async (): Promise<void> => {
    try {
      // With many repositories a run takes longer than a period. If it were superseded, it would never reach the last ones.
      const running = await queue.list({ states: ["running"], limit: MAX_RUNNING });
      if (running.some(({ kind }) => kind === RECONCILE_KIND)) return;
      await database.transaction((sql) => queue.enqueue([planReconcile(now())], sql));
      queue.wake();
    } catch (error) {
      log.error("could not queue the reconciler", {
        error: messageOf(error),
      });
    }
  };
  void enqueue();
  const timer = setInterval(() => void enqueue(), RECONCILE_EVERY_MS);
  return () => clearInterval(timer);
}
