/** Aborts a run: at the deadline, when the provider stalls, or when the caller aborts. */
import type { ModelLimits } from "../model.ts";

export type EndCause = "deadline" | "stalled" | "aborted";

export type RunWatch = {
  /** Aborted when the watch ends the run. */
  readonly signal: AbortSignal;
  /** Null while the run continues. */
  cause(): EndCause | null;
  /** Starts the stall timer; every received byte restarts it. */
  touch(): void;
  /** Stops the stall timer: a tool is running, or no call is open. */
  rest(): void;
  /** The promise, or a rejection as soon as the watch ends the run. */
  race<T>(promise: PromiseLike<T>): Promise<T>;
  sleep(ms: number): Promise<void>;
  close(): void;
};

export function createWatch(limits: ModelLimits, outside: AbortSignal): RunWatch {
  const controller = new AbortController();
  const { signal } = controller;
  let cause: EndCause | null = null;
  /** When the provider last sent something; null while the timer is stopped. */
  let heardAt: number | null = null;
  let stallTimer: NodeJS.Timeout | null = null;

  const close = (): void => {
    clearTimeout(deadlineTimer);
    if (stallTimer !== null) clearTimeout(stallTimer);
    stallTimer = null;
    outside.removeEventListener("abort", onAbort);
  };
  const end = (why: EndCause): void => {
    if (cause !== null) return;
    cause = why;
    close();
    controller.abort(new Error(why));
  };
  const onAbort = (): void => end("aborted");
  /** One timer for all bytes: when it fires, it checks the time and waits for the rest. */
  const waitForSilence = (ms: number): void => {
    stallTimer = setTimeout(() => {
      stallTimer = null;
      if (heardAt === null) return;
      const leftMs = heardAt + limits.stallMs - performance.now();
      if (leftMs <= 0) end("stalled");
      else waitForSilence(leftMs);
    }, ms);
  };
  const deadlineTimer = setTimeout(() => end("deadline"), limits.deadlineMs);
  outside.addEventListener("abort", onAbort, { once: true });
  if (outside.aborted) onAbort();

  const sleep = async (ms: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    try {
      await raceAbort(promise, signal);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    signal,
    cause: () => cause,
    touch() {
      heardAt = performance.now();
      if (stallTimer === null && cause === null) waitForSilence(limits.stallMs);
    },
    rest() {
      heardAt = null;
    },
    race: (promise) => raceAbort(promise, signal),
    sleep,
    close,
  };
}

/** Unlike `untilAborted`, it also rejects if the promise is settled but the signal was aborted before. */
async function raceAbort<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  const ended = Promise.withResolvers<never>();
  const onEnd = (): void => ended.reject(signal.reason);
  // The listener is removed again. Otherwise every chunk of every answer would leave one behind.
  if (signal.aborted) onEnd();
  else signal.addEventListener("abort", onEnd, { once: true });
  try {
    return await Promise.race([ended.promise, promise]);
  } finally {
    signal.removeEventListener("abort", onEnd);
  }
}
