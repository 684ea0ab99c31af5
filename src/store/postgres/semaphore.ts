/** A semaphore with a fair queue and a timeout. */

export type Semaphore = {
  /** Resolves with a function that releases the slot. Rejects if no slot becomes free in time. */
  acquire(): Promise<() => void>;
};

export type SemaphoreOptions = {
  readonly count: number;
  readonly timeoutMs: number;
  /** Creates the error for a caller that waited too long. */
  readonly timeoutError: () => Error;
};

export function createSemaphore({ count, timeoutMs, timeoutError }: SemaphoreOptions): Semaphore {
  let free = count;
  const waiting: (() => void)[] = [];

  const release = (): void => {
    const next = waiting.shift();
    // The slot goes straight to the caller that has waited longest.
    if (next === undefined) free++;
    else next();
  };

  return {
    async acquire() {
      if (free > 0) {
        free--;
        return release;
      }
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(begin), 1);
          reject(timeoutError());
        }, timeoutMs);
        const begin = (): void => {
          clearTimeout(timer);
          resolve();
        };
        waiting.push(begin);
      });
      return release;
    },
  };
}
