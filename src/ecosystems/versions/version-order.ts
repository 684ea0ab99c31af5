/** How an ecosystem orders its versions. Texts that aren't versions compare as null: nothing is guessed about them. */
export type VersionOrder = {
  /** Negative, zero or positive. Null when one of them isn't a version, or they have no order. */
  readonly compare: (one: string, other: string) => number | null;
  /** The numbers that decide the kind of a bump: [epoch, major, minor, patch, …]. Null when it isn't a version. */
  readonly numbersOf: (version: string) => readonly number[] | null;
  /** Whether a version is in a range as a manifest writes it; null when the range isn't understood. */
  readonly satisfies: (version: string, requirement: string) => boolean | null;
};

/** Longer ones don't occur, and cost time in the expressions below. */
export const MAX_VERSION_CHARS = 200;

export const isBounded = (...texts: readonly string[]): boolean =>
  texts.every(({ length }) => length <= MAX_VERSION_CHARS);

export function compareNumbers(one: readonly number[], other: readonly number[]): number {
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
