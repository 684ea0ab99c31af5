/**
 * A queue that retries writing the result of a job while the database is unavailable, until the lease would expire and
 * another worker gets the job. Without retries the worker would look crashed, and the job would be charged with the crash.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { KodiaiError, messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { Queue } from "../queue/queue.ts";

const RETRY_AFTER_MS = 1_000;

export type PersistentQueueOptions = {
  readonly leaseMs: number;
  /** Aborted when the process is about to exit. */
  readonly hardStop: AbortSignal;
  readonly log: Log;
};

export function createPersistentQueue(
  queue: Queue,
  { leaseMs, hardStop, log }: PersistentQueueOptions,
): Queue {
  async function persist<Value>(write: () => Promise<Value>): Promise<Value> {
    const expiresAt = performance.now() + leaseMs;
    for (;;) {
      try {
        return await write();
      } catch (error) {
        const isUnavailable = error instanceof KodiaiError && error.code === "database" && error.retryable;
        if (!isUnavailable || hardStop.aborted || performance.now() > expiresAt) throw error;
        log.warn("retrying to record the result of a job", { error: messageOf(error) });
      }
      // A hard stop ends the pause early, without an error.
      await sleep(RETRY_AFTER_MS, null, { signal: hardStop }).catch(() => {});
    }
  }
  return {
    ...queue,
    // If only the response was lost, the retry finds that the lease is already released.
    complete: (claim, completion) => persist(() => queue.complete(claim, completion)),
    retry: (claim, reason) => persist(() => queue.retry(claim, reason)),
    park: (claim, untilMs, reason) => persist(() => queue.park(claim, untilMs, reason)),
    release: (claim) => persist(() => queue.release(claim)),
    crash: (claim) => persist(() => queue.crash(claim)),
  };
}
