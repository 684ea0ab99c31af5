/**
 * Wakes those who wait for work in this process. A wake between somebody's fruitless look and their waiting is not lost:
 * the wait is over at once.
 */

// Far more than a process has workers. Somebody who looks and never waits only leaves a number behind.
const MAX_LOOKS = 1_000;

export type WakeSignal = {
  readonly wake: () => void;
  /** To be called before looking; the answer goes to `foundNothing` when there was no work. */
  readonly look: () => number;
  readonly foundNothing: (look: number) => void;
  readonly wait: (timeoutMs: number, signal: AbortSignal) => Promise<void>;
};

export function createWakeSignal(): WakeSignal {
  let wakes = 0;
  let fruitless: number[] = [];
  let sleepers: (() => void)[] = [];
  return {
    wake() {
      wakes++;
      const woken = sleepers;
      sleepers = [];
      for (const resume of woken) resume();
    },
    look: () => wakes,
    foundNothing(look) {
      if (fruitless.length < MAX_LOOKS) fruitless.push(look);
    },
    wait(timeoutMs, signal) {
      // It is not known whose look this was; taking the oldest wakes somebody for nothing at worst.
      const look = fruitless.shift();
      if (signal.aborted || (look !== undefined && look !== wakes)) return Promise.resolve();
      return new Promise((resolve) => {
        const resume = (): void => {
          clearTimeout(timer);
          signal.removeEventListener("abort", resume);
          sleepers = sleepers.filter((sleeper) => sleeper !== resume);
          resolve();
        };
        const timer = setTimeout(resume, timeoutMs);
        signal.addEventListener("abort", resume, { once: true });
        sleepers.push(resume);
      });
    },
  };
}
