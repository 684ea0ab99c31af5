/** Queues the reconciler: at the start, since something may have been missed while nobody listened, and then every period. */
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

/** More than run at a time anywhere. */
const MAX_RUNNING = 1_000;

/** The function stops it. */
export function startReconciling({ database, queue, log, now }: ReconcilingDeps): () => void {
  const enqueue = async (): Promise<void> => {
    try {
      // Many repositories take longer than a period. Who is replaced half-way never comes to the last of them.
      const running = await queue.list({ states: ["running"], limit: MAX_RUNNING });
      if (running.some(({ kind }) => kind === RECONCILE_KIND)) return;
      await database.transaction((sql) => queue.enqueue([planReconcile(now())], sql));
      queue.wake();
    } catch (error) {
      log.error("the reconciler could not be queued", {
        error: messageOf(error),
      });
    }
  };
  void enqueue();
  const timer = setInterval(() => void enqueue(), RECONCILE_EVERY_MS);
  return () => clearInterval(timer);
}
