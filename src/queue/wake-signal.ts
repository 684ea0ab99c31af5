/**
 * Wakes the workers of this process that wait for work. A wake that arrives after a worker's check found nothing, but
 * before the worker waits, isn't lost: that wait returns at once.
 */

// Far more than the workers of a process. A check without a later wait only leaves a number behind.
const MAX_EMPTY_CHECKS = 1_000;

export type WakeSignal = {
  readonly wake: () => void;
  /** Call this before checking for work. If there was none, pass the result to `foundNothing`. */
  readonly startCheck: () => number;
  readonly foundNothing: (check: number) => void;
  readonly wait: (timeoutMs: number, signal: AbortSignal) => Promise<void>;
};

export function createWakeSignal(): WakeSignal {
  let wakes = 0;
  let emptyChecks: number[] = [];
  let waiters: (() => void)[] = [];
  return {
    wake() {
      wakes++;
      const woken = waiters;
      waiters = [];
      for (const resume of woken) resume();
    },
    startCheck: () => wakes,
    foundNothing(check) {
      if (emptyChecks.length < MAX_EMPTY_CHECKS) emptyChecks.push(check);
    },
    wait(timeoutMs, signal) {
      // This may be another worker's check. At worst the oldest one ends a wait that had no reason to end.
      const check = emptyChecks.shift();
      if (signal.aborted || (check !== undefined && check !== wakes)) return Promise.resolve();
      return new Promise((resolve) => {
        const resume = (): void => {
          clearTimeout(timer);
          signal.removeEventListener("abort", resume);
          waiters = waiters.filter((waiter) => waiter !== resume);
          resolve();
        };
        const timer = setTimeout(resume, timeoutMs);
        signal.addEventListener("abort", resume, { once: true });
        waiters.push(resume);
      });
    },
  };
}
