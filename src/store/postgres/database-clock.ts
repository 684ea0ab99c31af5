/**
 * The clock of the database server, measured every minute and extrapolated in between. Machines with different clocks agree
 * on when a lease expires, and setting this machine's clock has no effect.
 */

// The clocks of two machines drift apart by a few milliseconds in this time.
const MEASURE_INTERVAL_MS = 60_000;

// A slower answer doesn't show precisely enough when the clock was read.
const MAX_ANSWER_MS = 500;
const MAX_FIRST_TRIES = 3;

export type DatabaseClock = { readonly now: () => number; stop(): void };

type Measured = { readonly aheadMs: number; readonly withinMs: number };

export async function startDatabaseClock(readTime: () => Promise<number>): Promise<DatabaseClock> {
  let { aheadMs } = await measureFirst(readTime);
  const measureAgain = async (): Promise<void> => {
    try {
      const measured = await measure(readTime);
      if (measured.withinMs < MAX_ANSWER_MS) aheadMs = measured.aheadMs;
    } catch {
      // The last measurement still applies, and other callers report that the database is unreachable.
    }
  };
  const timer = setInterval(() => {
    void measureAgain();
  }, MEASURE_INTERVAL_MS);
  timer.unref();
  return { now: () => Math.floor(performance.now() + aheadMs), stop: () => clearInterval(timer) };
}

/** A server that is just starting answers slowly, so the fastest of a few measurements is used. */
async function measureFirst(readTime: () => Promise<number>): Promise<Measured> {
  let best = await measure(readTime);
  for (let tries = 1; best.withinMs >= MAX_ANSWER_MS && tries < MAX_FIRST_TRIES; tries++) {
    const next = await measure(readTime);
    if (next.withinMs < best.withinMs) best = next;
  }
  return best;
}

/** Measures how far the server's time is ahead of this process's monotonic clock. */
async function measure(readTime: () => Promise<number>): Promise<Measured> {
  const before = performance.now();
  const time = await readTime();
  const after = performance.now();
  // The server read its clock about halfway between request and answer.
  return { aheadMs: time - (before + after) / 2, withinMs: after - before };
}
