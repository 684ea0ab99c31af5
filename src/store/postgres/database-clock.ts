/**
 * The clock of the database server, read now and then and counted on from there, so that machines whose clocks differ
 * agree on when a lease is over. Setting the clock of this machine changes nothing.
 */

// Two machines' quartzes drift apart by some milliseconds in this time.
const READ_EVERY_MS = 60_000;

// What took longer says little about the moment at which the clock was read.
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
      // The last measurement still holds; whoever needs the database hears that it is away.
    }
  };
  const timer = setInterval(() => {
    void measureAgain();
  }, READ_EVERY_MS);
  timer.unref();
  return { now: () => Math.floor(performance.now() + aheadMs), stop: () => clearInterval(timer) };
}

/** A server that is just coming back answers late: then the best of a few says most. */
async function measureFirst(readTime: () => Promise<number>): Promise<Measured> {
  let best = await measure(readTime);
  for (let tries = 1; best.withinMs >= MAX_ANSWER_MS && tries < MAX_FIRST_TRIES; tries++) {
    const next = await measure(readTime);
    if (next.withinMs < best.withinMs) best = next;
  }
  return best;
}

/** By how much the server's time is ahead of the time since this process began, which nobody can set. */
async function measure(readTime: () => Promise<number>): Promise<Measured> {
  const before = performance.now();
  const time = await readTime();
  const after = performance.now();
  // Read about half-way between question and answer.
  return { aheadMs: time - (before + after) / 2, withinMs: after - before };
}
