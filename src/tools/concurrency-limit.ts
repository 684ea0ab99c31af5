/** Limits how many tasks run at a time; the others wait in order of arrival. */

export type ConcurrencyLimit = <Value>(work: () => Promise<Value>) => Promise<Value>;

export function createConcurrencyLimit(places: number): ConcurrencyLimit {
  let free = places;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => void waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The next task takes over the slot.
      if (next === undefined) free++;
      else next();
    }
  };
}
