/**
 * Keeps one installation's calls within GitHub's rate limits. Writes are sent one at a time and no faster than GitHub allows.
 * After a rate-limit error, nothing is sent before the time that GitHub named. Short waits are slept through. A long wait is
 * thrown as `rate-limited`, so that the job can be parked. Answers to people without write access take at most a third of the writes, so
 * that strangers can't keep reviews from being published.
 */
import { rateLimitReached } from "./github-error.ts";

export type RateLimiter = {
  /** Sends the call once the limits allow it. Throws without sending if the wait would be long. */
  run<Value>(
    call: {
      readonly route: string;
      readonly isWrite: boolean;
      /** It answers a person without write access. Left out: no. */
      readonly isForOutsider?: boolean;
    },
    send: () => Promise<Value>,
  ): Promise<Value>;
  /** Sends nothing before this time, which GitHub named. */
  pauseUntil(untilMs: number): void;
};

export type RateLimiterDeps = {
  readonly now: () => number;
  readonly sleep: (delayMs: number) => Promise<void>;
};

/** Waiting this long costs less than parking the job and starting it again. */
const MAX_SLEEP_MS = 3_000;

/**
 * GitHub's limits for requests that create content. Each window is a little longer than GitHub's, because it counts from
 * when a request is sent, and GitHub counts from when it arrives.
 */
const WRITE_WINDOWS = [
  { count: 80, windowMs: 62_000 },
  { count: 500, windowMs: 3_602_000 },
] as const;

const MOST_WRITES = 500;

/** The rest is reserved for reviews and people with write access. */
const OUTSIDER_SHARE = 1 / 3;

export function createRateLimiter({ now, sleep }: RateLimiterDeps): RateLimiter {
  let pausedUntilMs = 0;
  let writeTimes: readonly number[] = [];
  /** Those for outsiders, which are also in the other list. */
  let outsiderTimes: readonly number[] = [];
  let lastWrite: Promise<unknown> = Promise.resolve();

  const waitFor = async (
    readyAtMs: () => number,
    route: string,
    maxSleepMs = MAX_SLEEP_MS,
  ): Promise<void> => {
    // Checked again after each sleep, because another call may have hit a limit in the meantime.
    for (let untilMs = readyAtMs(); untilMs > now(); untilMs = readyAtMs()) {
      const waitMs = untilMs - now();
      if (waitMs > maxSleepMs) throw rateLimitReached(untilMs, route);
      await sleep(waitMs);
    }
  };
  const write = async <Value>(route: string, send: () => Promise<Value>): Promise<Value> => {
    await waitFor(() => Math.max(pausedUntilMs, nextWriteAt(writeTimes)), route);
    writeTimes = [...writeTimes, now()].slice(-MOST_WRITES);
    return send();
  };
  const writeForOutsider = async <Value>(route: string, send: () => Promise<Value>): Promise<Value> => {
    const readyAtMs = (): number =>
      Math.max(pausedUntilMs, nextWriteAt(writeTimes), nextWriteAt(outsiderTimes, OUTSIDER_SHARE));
    // Other writes are waiting behind this one, so it doesn't sleep.
    await waitFor(readyAtMs, route, 0);
    outsiderTimes = [...outsiderTimes, now()].slice(-MOST_WRITES);
    return write(route, send);
  };
  return {
    async run({ route, isWrite, isForOutsider = false }, send) {
      if (!isWrite) {
        await waitFor(() => pausedUntilMs, route);
        return send();
      }
      const written = lastWrite.then(() => (isForOutsider ? writeForOutsider : write)(route, send));
      // The next write waits for this one to finish or fail.
      lastWrite = written.catch(() => undefined);
      return written;
    },
    pauseUntil(untilMs) {
      pausedUntilMs = Math.max(pausedUntilMs, untilMs);
    },
  } satisfies RateLimiter;
}

/** Returns when the windows, or a share of them, allow one more write. `writeTimes` is in sending order. */
export function nextWriteAt(writeTimes: readonly number[], share = 1): number {
  const ready = WRITE_WINDOWS.map(({ count: all, windowMs }) => {
    const count = Math.floor(all * share);
    const blocking = writeTimes.at(-count);
    return writeTimes.length < count || blocking === undefined ? 0 : blocking + windowMs;
  });
  return Math.max(...ready);
}
