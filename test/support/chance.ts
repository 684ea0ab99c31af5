/** Random choices that a seed repeats. */
import { createRandom } from "../../src/base/random.ts";

export type Chance = {
  /** 0 ≤ result < limit, a whole number. */
  below(limit: number): number;
  of<T>(items: readonly T[]): T | undefined;
};

export function createChance(seed: number): Chance {
  const next = createRandom(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, of: (items) => items[below(items.length)] };
}
