/**
 * Keeps one installation's calls within GitHub's limits: writes go one after the other and no faster than content may be
 * created, and after a refusal nothing is sent before the time that GitHub named. Short waits are slept; a long one is
 * thrown as `rate-limited`, so that the job can be parked and its worker is free.
 */
import { heldBack } from "./github-error.ts";

export type RateGate = {
  /** Runs the call when it may run. Throws before it is sent when the wait would be long. */
  pass<Value>(
    call: { readonly route: string; readonly isWrite: boolean },
    send: () => Promise<Value>,
  ): Promise<Value>;
  /** GitHub named a time before which nothing may be sent. */
  holdUntil(untilMs: number): void;
};

export type RateGateDeps = {
  readonly now: () => number;
  readonly sleep: (delayMs: number) => Promise<void>;
};

/** A wait up to this long costs less than parking the job and starting it again. */
const MAX_SLEEP_MS = 3_000;

/**
 * GitHub's limits for requests that create content. Each window is a little longer than GitHub's, since we note when a
 * request is sent and GitHub when it arrives.
 */
const WRITE_WINDOWS = [
  { count: 80, windowMs: 62_000 },
  { count: 500, windowMs: 3_602_000 },
] as const;

const MOST_WRITES = 500;

export function createRateGate({ now, sleep }: RateGateDeps): RateGate {
  let heldUntilMs = 0;
  let writeTimes: readonly number[] = [];
  let lastWrite: Promise<unknown> = Promise.resolve();

  const waitFor = async (readyAtMs: () => number, route: string): Promise<void> => {
    // Asked again after each sleep: another call may have been refused meanwhile.
    for (let untilMs = readyAtMs(); untilMs > now(); untilMs = readyAtMs()) {
      const waitMs = untilMs - now();
      if (waitMs > MAX_SLEEP_MS) throw heldBack(untilMs, route);
      await sleep(waitMs);
    }
  };
  const write = async <Value>(route: string, send: () => Promise<Value>): Promise<Value> => {
    await waitFor(() => Math.max(heldUntilMs, nextWriteAt(writeTimes)), route);
    writeTimes = [...writeTimes, now()].slice(-MOST_WRITES);
    return send();
  };
  return {
    async pass({ route, isWrite }, send) {
      if (!isWrite) {
        await waitFor(() => heldUntilMs, route);
        return send();
      }
      const turn = lastWrite.then(() => write(route, send));
      // The next write waits for this one's end, whatever it was.
      lastWrite = turn.catch(() => undefined);
      return turn;
    },
    holdUntil(untilMs) {
      heldUntilMs = Math.max(heldUntilMs, untilMs);
    },
  } satisfies RateGate;
}

/** When the windows have room for one more write. Times are in the order of sending. */
export function nextWriteAt(writeTimes: readonly number[]): number {
  const ready = WRITE_WINDOWS.map(({ count, windowMs }) => {
    const blocking = writeTimes.at(-count);
    return writeTimes.length < count || blocking === undefined ? 0 : blocking + windowMs;
  });
  return Math.max(...ready);
}
