/**
 * Bounds the deliveries that wait to be written to disk. GitHub gives up on an answer after 10 s and counts the delivery as failed either
 * way, so it is better to refuse some at once than to answer all of them too late. The reconciler requests the refused ones again.
 */

export type BacklogLimits = {
  readonly maxWaiting: number;
  /** While a delivery waits longer than this, no further ones are taken. */
  readonly maxAgeMs: number;
  /** A delivery that isn't on disk by then is refused, though it may still get there: it is recognized when it arrives again. */
  readonly maxWaitMs: number;
};

export const BACKLOG_LIMITS: BacklogLimits = {
  // About three seconds of work for SQLite on a slow disk, and less than the memory that bodies share.
  maxWaiting: 1_000,
  // Whatever is taken then waits about as long, which is far below 10 s.
  maxAgeMs: 2_000,
  // Leaves the other half of GitHub's time for the network and a busy process.
  maxWaitMs: 4_500,
};

export type Backlog = {
  /** The result of the work, or null if there is too much of it, or it takes too long. Rejects if the work does. */
  run<Result>(work: () => Promise<Result>): Promise<Result | null>;
};

/** `now` is in milliseconds; only differences count. */
export function createBacklog(now: () => number, limits = BACKLOG_LIMITS): Backlog {
  const { maxWaiting, maxAgeMs, maxWaitMs } = limits;
  /** The time at which each delivery was taken, oldest first. */
  const waiting = new Set<{ readonly sinceMs: number }>();
  return {
    async run(work) {
      const [oldest] = waiting;
      if (waiting.size >= maxWaiting || (oldest !== undefined && now() - oldest.sinceMs > maxAgeMs))
        return null;
      const entry = { sinceMs: now() };
      waiting.add(entry);
      const done = work().finally(() => waiting.delete(entry));
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<null>((resolve) => {
        timer = setTimeout(() => resolve(null), maxWaitMs);
      });
      try {
        return await Promise.race([done, late]);
      } finally {
        clearTimeout(timer);
        // The answer was sent, so a later failure concerns no one.
        done.catch(() => {});
      }
    },
  };
}
