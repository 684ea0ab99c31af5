/** The fake's clock: real time plus what a test has added, so that tokens expire and lists catch up without waiting. */

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

/** As GitHub writes times: whole seconds, in UTC. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, "Z");
}
