/**
 * The clock of an SQLite installation: the machine's clock, except that it never goes back. When the machine's clock is set
 * back, this clock continues from where it was and is ahead from then on. All processes run on one machine, so they all see
 * the same step and continue alike; the database keeps it for processes that start later. While it is ahead, the clock runs
 * slower than the machine's until the two agree again.
 */
import type { Row, Sql } from "../database.ts";
import type { SqliteDatabase } from "./sqlite-database.ts";

export type StoreClock = { readonly now: () => number; stop(): void };

export type StoreClockDeps = {
  /** Milliseconds since 1970 on the machine's clock, which users and NTP can set. */
  readonly wall: () => number;
  /** Milliseconds on a monotonic clock. Only differences matter. */
  readonly steady: () => number;
  /** Called when the machine's clock was set back, with the milliseconds that this clock is now ahead of it. */
  readonly onSetBack: (aheadMs: number) => void;
};

/** How far ahead this clock was when the machine's clock showed `wallMs`. */
type Anchor = { readonly aheadMs: number; readonly wallMs: number };

// NTP corrects smaller differences gradually, and both clocks follow. On a smaller step back, this clock simply pauses.
const STEP_MS = 500;

// Makes up for two hours within 16. Meanwhile a lease of 60 s lasts about 8 s longer, which does no harm.
const SLOWED_BY = 8;

// A process that starts after a step continues from the last saved time, so it is behind by no more than this.
const SAVE_EVERY_MS = 1_000;

// How long a process without commits may miss a step that another process has saved.
const COMPARE_EVERY_MS = 5_000;

const SAVE = `insert into clock (id, ahead_ms, wall_ms, seen_at) values (1, $1, $2, $3)
  on conflict (id) do update set ahead_ms = $1, wall_ms = $2, seen_at = $3 where clock.seen_at <= $3`;

function timeAt({ aheadMs, wallMs }: Anchor, nowWallMs: number): number {
  const passedMs = Math.max(0, nowWallMs - wallMs);
  return nowWallMs + Math.max(0, aheadMs - passedMs / SLOWED_BY);
}

export async function startStoreClock(database: SqliteDatabase, deps: StoreClockDeps): Promise<StoreClock> {
  const { wall, steady, onSetBack } = deps;
  let lastRead = { wallMs: wall(), steadyMs: steady() };
  const saved = await readSaved(database);
  let anchor = saved?.anchor ?? { aheadMs: 0, wallMs: lastRead.wallMs };
  let latest = 0;
  let savedAt = 0;
  let isChanged = false;

  /** Continues from `timeMs`, or from the machine's clock if that is later. */
  const continueFrom = (timeMs: number, wallMs: number): void => {
    anchor = { aheadMs: Math.max(0, Math.round(timeMs - wallMs)), wallMs };
    isChanged = true;
  };

  const now = (): number => {
    const [wallMs, steadyMs] = [wall(), steady()];
    const expectedMs = lastRead.wallMs + steadyMs - lastRead.steadyMs;
    lastRead = { wallMs, steadyMs };
    if (Math.abs(wallMs - expectedMs) > STEP_MS) {
      continueFrom(timeAt(anchor, expectedMs), wallMs);
      if (wallMs < expectedMs) onSetBack(anchor.aheadMs);
    }
    latest = Math.max(latest, Math.floor(timeAt(anchor, wallMs)));
    return latest;
  };

  // The machine's clock was set back while no process ran, or the process that noticed hasn't saved it yet.
  if (saved !== null && saved.seenAt - timeAt(anchor, lastRead.wallMs) > STEP_MS) {
    continueFrom(saved.seenAt, lastRead.wallMs);
    onSetBack(anchor.aheadMs);
  }
  now();

  // Times in a commit come from this clock, so they are never later than the time saved with them.
  database.beforeCommit((run) => {
    const time = now();
    if (!isChanged && time - savedAt < SAVE_EVERY_MS) return;
    run(SAVE, [anchor.aheadMs, anchor.wallMs, time]);
    savedAt = time;
    isChanged = false;
  });

  const compare = async (): Promise<void> => {
    const time = now();
    if (isChanged) return database.transaction(async () => {});
    const other = await readSaved(database);
    const isCurrent = other !== null && other.anchor.wallMs <= lastRead.wallMs + STEP_MS;
    if (isCurrent && timeAt(other.anchor, lastRead.wallMs) - time > STEP_MS) anchor = other.anchor;
  };
  const timer = setInterval(() => {
    // Other callers report a failing database, and the next comparison may succeed.
    compare().catch(() => {});
  }, COMPARE_EVERY_MS);
  timer.unref();
  return { now, stop: () => clearInterval(timer) };
}

/** How far the clock is ahead of a machine's clock that shows `wallMs`. */
export async function readAheadMs(sql: Sql, wallMs: number): Promise<number> {
  const saved = await readSaved(sql);
  return saved === null ? 0 : Math.max(timeAt(saved.anchor, wallMs), saved.seenAt) - wallMs;
}

async function readSaved(
  database: Sql,
): Promise<{ readonly anchor: Anchor; readonly seenAt: number } | null> {
  const [row] = await database.query<Row & { ahead_ms: number; wall_ms: number; seen_at: number }>(
    "select ahead_ms, wall_ms, seen_at from clock where id = 1",
  );
  if (row === undefined) return null;
  return { anchor: { aheadMs: row.ahead_ms, wallMs: row.wall_ms }, seenAt: row.seen_at };
}
