/** Counts attempts to sign in, of each address and of all together, in a window of time. */

export type AttemptLimit = {
  /** Counts an attempt. False if the address had too many. */
  admit(address: string): boolean;
};

/** An office behind one address signs in within it at nine o'clock. */
const MAX_ATTEMPTS = 100;
const WINDOW_MS = 5 * 60_000;

/** For all addresses together, because each attempt writes a row. */
const MAX_ALL_ATTEMPTS = 2_000;

export function createRateLimit(now: () => number): AttemptLimit {
  let startedAt = now();
  let all = 0;
  const attempts = new Map<string, number>();
  return {
    admit(address) {
      const at = now();
      if (at - startedAt >= WINDOW_MS || at < startedAt) {
        startedAt = at;
        all = 0;
        attempts.clear();
      }
      const count = (attempts.get(address) ?? 0) + 1;
      if (count > MAX_ATTEMPTS || all >= MAX_ALL_ATTEMPTS) return false;
      attempts.set(address, count);
      all++;
      return true;
    },
  };
}
