/** Lets a limited number of callers work at the same time. The others wait in order. */

export type Slots = {
  /** Resolves to the function that gives the slot back; null if the signal is aborted first. */
  take(signal: AbortSignal): Promise<(() => void) | null>;
};

export function createSlots(count: number): Slots {
  let free = count;
  const waiting = new Set<() => void>();
  const release = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next();
  };
  return {
    async take(signal) {
      if (signal.aborted) return null;
      if (free > 0) {
        free -= 1;
        return release;
      }
      const turn = Promise.withResolvers<(() => void) | null>();
      const onTurn = (): void => turn.resolve(release);
      const onAbort = (): void => {
        if (waiting.delete(onTurn)) turn.resolve(null);
      };
      waiting.add(onTurn);
      signal.addEventListener("abort", onAbort, { once: true });
      try {
        return await turn.promise;
      } finally {
        signal.removeEventListener("abort", onAbort);
      }
    },
  };
}
