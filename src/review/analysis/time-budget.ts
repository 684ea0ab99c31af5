/** The time limit for reading a change. Cloning and publishing have separate limits. */

export type TimeBudgetFacts = {
  /** `timeoutSeconds` of the configuration. */
  readonly baseSeconds: number;
  readonly isDependencyBump: boolean;
  readonly files: number;
  /** Added and removed. */
  readonly lines: number;
  readonly isLarge: boolean;
};

/** A dependency bump is short. */
const MAX_BUMP_SECONDS = 300;
/** A change within both limits is always small. */
const SMALL_FILES = 10;
const SMALL_LINES = 500;
/** A large change gets 50% more time, but people don't wait longer than 15 minutes. */
const LARGE_FACTOR = 1.5;
const MAX_LARGE_SECONDS = 900;

export function timeBudgetSeconds(facts: TimeBudgetFacts): number {
  const { baseSeconds } = facts;
  if (facts.isDependencyBump) return Math.min(baseSeconds, MAX_BUMP_SECONDS);
  const isSmall = facts.files <= SMALL_FILES && facts.lines <= SMALL_LINES;
  if (isSmall || !facts.isLarge) return baseSeconds;
  // A configured time over the ceiling applies as is: a large change never gets less time than a small one.
  return Math.max(baseSeconds, Math.min(Math.round(baseSeconds * LARGE_FACTOR), MAX_LARGE_SECONDS));
}
