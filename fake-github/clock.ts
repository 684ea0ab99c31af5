/** The fake's clock: real time plus an offset that tests add, so that tokens expire and lists catch up without waiting. */

export type FakeClock = {
  now(): number;
  /** Moves the clock forward. */
  advance(milliseconds: number): void;
};

export function createFakeClock(now: () => number = Date.now): FakeClock {
  let addedMs = 0;
  return {
    now: () => now() + addedMs,
    advance(milliseconds) {
      addedMs += milliseconds;
    },
  };
}

/** GitHub's time format: whole seconds in UTC. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, "Z");
}
