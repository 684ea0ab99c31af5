/** The one place that ends a run from outside: the deadline, a provider that has fallen silent, or nobody wanting it any more. */
import type { ModelLimits } from "../model.ts";

export type EndCause = "deadline" | "stalled" | "aborted";

export type RunWatch = {
  /** Aborted when the watch ends. */
  readonly signal: AbortSignal;
  /** Null as long as it goes on. */
  cause(): EndCause | null;
  /** From now on the provider is waited for; called again with every sign of life. */
  touch(): void;
  /** The provider is not waited for: a tool works, or nothing was asked. */
  rest(): void;
  /** The promise; rejects as soon as the watch ends, also where the promise does not care. */
  race<T>(promise: PromiseLike<T>): Promise<T>;
  sleep(ms: number): Promise<void>;
  close(): void;
};

export function createWatch(limits: ModelLimits, outside: AbortSignal): RunWatch {
  const controller = new AbortController();
  const { signal } = controller;
  let cause: EndCause | null = null;
  /** When the provider was last heard of; null while it is not waited for. */
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
  /** One timer for all signs of life: it looks when it fires, and waits for the rest. */
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

  const race = async <T>(promise: PromiseLike<T>): Promise<T> => {
    const ended = Promise.withResolvers<never>();
    const onEnd = (): void => ended.reject(signal.reason);
    // Taken away again: on a promise that lives as long as the run, every piece of every answer would stay.
    if (signal.aborted) onEnd();
    else signal.addEventListener("abort", onEnd, { once: true });
    try {
      return await Promise.race([ended.promise, promise]);
    } finally {
      signal.removeEventListener("abort", onEnd);
    }
  };
  const sleep = async (ms: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    try {
      await race(promise);
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
    race,
    sleep,
    close,
  };
}
