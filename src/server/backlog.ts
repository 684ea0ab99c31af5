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

type Entry = {
  readonly sinceMs: number;
  /** Answers without a result. */
  readonly giveUp: () => void;
};

/** `now` is in milliseconds; only differences count. */
export function createBacklog(now: () => number, limits = BACKLOG_LIMITS): Backlog {
  const { maxWaiting, maxAgeMs, maxWaitMs } = limits;
  /** Deliveries that aren't on disk, and those of them that aren't answered either. Both oldest first. */
  const waiting = new Set<Entry>();
  const unanswered = new Set<Entry>();
  /** One for all, because starting and stopping one for each takes as long as a tenth of receiving it. */
  let timer: NodeJS.Timeout | null = null;

  function giveUpLate(): void {
    timer = null;
    for (const entry of unanswered) {
      const leftMs = entry.sinceMs + maxWaitMs - now();
      if (leftMs > 0) {
        timer = setTimeout(giveUpLate, leftMs);
        return;
      }
      unanswered.delete(entry);
      entry.giveUp();
    }
  }

  function answered(entry: Entry): void {
    unanswered.delete(entry);
    if (unanswered.size > 0 || timer === null) return;
    clearTimeout(timer);
    timer = null;
  }

  return {
    run<Result>(work: () => Promise<Result>) {
      const [oldest] = waiting;
      const sinceMs = now();
      if (waiting.size >= maxWaiting || (oldest !== undefined && sinceMs - oldest.sinceMs > maxAgeMs))
        return Promise.resolve(null);
      const { promise, resolve, reject } = Promise.withResolvers<Result | null>();
      const entry = { sinceMs, giveUp: () => resolve(null) };
      waiting.add(entry);
      unanswered.add(entry);
      timer ??= setTimeout(giveUpLate, maxWaitMs);
      const finish = async (): Promise<void> => {
        // After it was given up, a result or a failure concerns no one.
        try {
          resolve(await work());
        } catch (error) {
          reject(error);
        } finally {
          waiting.delete(entry);
          answered(entry);
        }
      };
      void finish();
      return promise;
    },
  };
}
