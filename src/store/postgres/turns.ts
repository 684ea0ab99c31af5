/** Lets at most so many in at once. Whoever comes later waits in order, and not for ever. */

export type Turns = {
  /** Resolves when it is one's turn, with how to end it. Rejects when that takes too long. */
  take(): Promise<() => void>;
};

export type TurnsOptions = {
  readonly count: number;
  readonly withinMs: number;
  /** What somebody is told who has waited in vain. */
  readonly refuse: () => Error;
};

export function createTurns({ count, withinMs, refuse }: TurnsOptions): Turns {
  let free = count;
  const waiting: (() => void)[] = [];

  const end = (): void => {
    const next = waiting.shift();
    // The turn passes to who waits longest, without being free in between.
    if (next === undefined) free++;
    else next();
  };

  return {
    async take() {
      if (free > 0) {
        free--;
        return end;
      }
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(begin), 1);
          reject(refuse());
        }, withinMs);
        const begin = (): void => {
          clearTimeout(timer);
          resolve();
        };
        waiting.push(begin);
      });
      return end;
    },
  };
}
