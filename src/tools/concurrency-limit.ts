/** Lets a few through at a time, in the order in which they came. */

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
      // Who is next takes the place over.
      if (next === undefined) free++;
      else next();
    }
  };
}
