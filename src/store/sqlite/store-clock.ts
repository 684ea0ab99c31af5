/**
 * The clock of an SQLite installation: the machine's clock, except that it never goes back. When the machine's clock is set
 * back, this one goes on from where it was and is then ahead. All processes of the installation run on one machine, so they
 * all see the same step and go on in the same way; the database keeps it for processes that start later. Once ahead, the
 * clock runs slower than the machine's until the two agree again.
 */
import type { Row } from "../database.ts";
import type { SqliteDatabase } from "./sqlite-database.ts";

export type StoreClock = { readonly now: () => number; stop(): void };

export type StoreClockDeps = {
  /** Milliseconds since 1970 by the machine's clock, which people and NTP can set. */
  readonly wall: () => number;
  /** Milliseconds by a clock that nobody can set; only differences count. */
  readonly steady: () => number;
  /** Called when the machine's clock was set back, with the milliseconds that this clock is ahead of it since. */
  readonly onSetBack: (aheadMs: number) => void;
};

/** How far ahead this clock was when the machine's clock said `wallMs`. */
type Anchor = { readonly aheadMs: number; readonly wallMs: number };

// NTP corrects smaller differences without a step, and both clocks follow it. For a smaller step the clock just stops.
const STEP_MS = 500;

// Two hours are gone after 16; meanwhile a lease of 60 s lasts 8 s longer, and nobody minds.
const SLOWED_BY = 8;

// A process that starts after a step continues from the last saved time: it may be behind by this much, and not by more.
const SAVE_EVERY_MS = 1_000;

// How long a process that takes no part in any commit may not know of a step that another one has saved.
const COMPARE_EVERY_MS = 5_000;

const SAVE = `insert into clock (id, ahead_ms, wall_ms, seen_at) values (1, $1, $2, $3)
  on conflict (id) do update set ahead_ms = $1, wall_ms = $2, seen_at = $3 where clock.seen_at <= $3`;

function timeAt({ aheadMs, wallMs }: Anchor, nowWallMs: number): number {
  const passedMs = Math.max(0, nowWallMs - wallMs);
  return nowWallMs + Math.max(0, aheadMs - passedMs / SLOWED_BY);
}

export async function startStoreClock(database: SqliteDatabase, deps: StoreClockDeps): Promise<StoreClock> {
  const { wall, steady, onSetBack } = deps;
  let looked = { wallMs: wall(), steadyMs: steady() };
  const saved = await readSaved(database);
  let anchor = saved?.anchor ?? { aheadMs: 0, wallMs: looked.wallMs };
  let latest = 0;
  let savedAt = 0;
  let isChanged = false;

  /** Goes on from `timeMs`, or from the machine's clock where that is later. */
  const continueFrom = (timeMs: number, wallMs: number): void => {
    anchor = { aheadMs: Math.max(0, Math.round(timeMs - wallMs)), wallMs };
    isChanged = true;
  };

  const now = (): number => {
    const [wallMs, steadyMs] = [wall(), steady()];
    const expectedMs = looked.wallMs + steadyMs - looked.steadyMs;
    looked = { wallMs, steadyMs };
    if (Math.abs(wallMs - expectedMs) > STEP_MS) {
      continueFrom(timeAt(anchor, expectedMs), wallMs);
      if (wallMs < expectedMs) onSetBack(anchor.aheadMs);
    }
    latest = Math.max(latest, Math.floor(timeAt(anchor, wallMs)));
    return latest;
  };

  /** The machine's clock was set back while no process ran, or by one that has not saved it yet. */
  if (saved !== null && saved.seenAt - timeAt(anchor, looked.wallMs) > STEP_MS) {
    continueFrom(saved.seenAt, looked.wallMs);
    onSetBack(anchor.aheadMs);
  }
  now();

  // Whatever is committed has times of this clock: they are never later than the one that is saved with them.
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
    const isCurrent = other !== null && other.anchor.wallMs <= looked.wallMs + STEP_MS;
    if (isCurrent && timeAt(other.anchor, looked.wallMs) - time > STEP_MS) anchor = other.anchor;
  };
  const timer = setInterval(() => {
    // A database that fails says so to everybody who needs it; the next comparison may work.
    compare().catch(() => {});
  }, COMPARE_EVERY_MS);
  timer.unref();
  return { now, stop: () => clearInterval(timer) };
}

async function readSaved(
  database: SqliteDatabase,
): Promise<{ readonly anchor: Anchor; readonly seenAt: number } | null> {
  const [row] = await database.query<Row & { ahead_ms: number; wall_ms: number; seen_at: number }>(
    "select ahead_ms, wall_ms, seen_at from clock where id = 1",
  );
  if (row === undefined) return null;
  return { anchor: { aheadMs: row.ahead_ms, wallMs: row.wall_ms }, seenAt: row.seen_at };
}
