/**
 * A queue that is told how a job ended even when the database is away for a while: until the lease would be over, after
 * which somebody else has the job. A worker that gave up at once would look dead, and its job as if it had killed it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { KodiaiError, messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { Queue } from "../queue/queue.ts";

const PAUSE_MS = 1_000;

export type PersistentQueueOptions = {
  readonly leaseMs: number;
  /** Aborted when the process ends in a moment. */
  readonly abandon: AbortSignal;
  readonly log: Log;
};

export function createPersistentQueue(
  queue: Queue,
  { leaseMs, abandon, log }: PersistentQueueOptions,
): Queue {
  async function persist<Value>(tell: () => Promise<Value>): Promise<Value> {
    const endsAt = performance.now() + leaseMs;
    for (;;) {
      try {
        return await tell();
      } catch (error) {
        const isAway = error instanceof KodiaiError && error.code === "database" && error.retryable;
        if (!isAway || abandon.aborted || performance.now() > endsAt) throw error;
        log.warn("the end of a job is told again", { error: messageOf(error) });
      }
      // Ends early, without an error, when the process does.
      await sleep(PAUSE_MS, null, { signal: abandon }).catch(() => {});
    }
  }
  return {
    ...queue,
    // What was done although its answer was lost is found done: the lease is not held any more.
    complete: (claim, completion) => persist(() => queue.complete(claim, completion)),
    retry: (claim, reason) => persist(() => queue.retry(claim, reason)),
    park: (claim, untilMs, reason) => persist(() => queue.park(claim, untilMs, reason)),
    release: (claim) => persist(() => queue.release(claim)),
    crash: (claim) => persist(() => queue.crash(claim)),
  };
}
