/** How long the reading of a change may take. Cloning and publishing have limits of their own. */

export type TimeBudgetFacts = {
  /** `timeoutSeconds` of the configuration. */
  readonly baseSeconds: number;
  readonly isDependencyBump: boolean;
  readonly files: number;
  /** Added and removed. */
  readonly lines: number;
  readonly isLarge: boolean;
};

/** Of a bump there is little to read. */
const MAX_BUMP_SECONDS = 300;
/** A change within both limits is small whatever else is said about it. */
const SMALL_FILES = 10;
const SMALL_LINES = 500;
/** Half as much again is what a large change can use; a quarter of an hour is what people wait. */
const LARGE_FACTOR = 1.5;
const MAX_LARGE_SECONDS = 900;

export function timeBudgetSeconds(facts: TimeBudgetFacts): number {
  const { baseSeconds } = facts;
  if (facts.isDependencyBump) return Math.min(baseSeconds, MAX_BUMP_SECONDS);
  const isSmall = facts.files <= SMALL_FILES && facts.lines <= SMALL_LINES;
  if (isSmall || !facts.isLarge) return baseSeconds;
  // Who asked for more than the ceiling gets what was asked for: a large change never has less time than a small one.
  return Math.max(baseSeconds, Math.min(Math.round(baseSeconds * LARGE_FACTOR), MAX_LARGE_SECONDS));
}
