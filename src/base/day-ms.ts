/** Milliseconds of a day. */
export const DAY_MS = 24 * 60 * 60 * 1_000;
