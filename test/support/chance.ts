/** Random choices that a seed repeats. */
export type Chance = {
  /** 0 ≤ result < limit, a whole number. */
  below(limit: number): number;
  of<T>(items: readonly T[]): T | undefined;
};

/** The mulberry32 generator: small, and good enough to draw samples. */
export function createChance(seed: number): Chance {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, of: (items) => items[below(items.length)] };
}
