/**
 * Days whose rows have changed since their totals were made. Triggers note them in the writer's transaction (see note-changed-days.ts).
 * Readers count the rows of these days, so that figures are always right, and `refreshChangedDays` makes the totals again: it alone
 * writes totals, and always from the rows.
 */
import { DAY_MS } from "../../base/day-ms.ts";
import { yieldToEventLoop } from "../../base/event-loop.ts";
import type { Database, Sql } from "../database.ts";
import type { Conditions } from "./readable.ts";

/** The tables of notes: of knowledge, of the figures of findings, and of statistics. */
export type DayNotes = "changed_days" | "changed_finding_days" | "changed_statistics_days";

/** A stretch of time whose rows are counted. The end isn't part of it. */
export type Span = { readonly fromMs: number; readonly toMs: number };

/** A time since which figures are wanted. Totals are valid from `firstDay` on, except for days in one of the spans. */
export type SplitTime = { readonly firstDay: number; readonly spans: readonly Span[] };

/** Each span costs a few statements. Right after an upgrade nearly all days have changed, and are counted as one. */
const MAX_SPANS = 12;

export async function splitTime(sinceMs: number, notes: DayNotes, sql: Sql): Promise<SplitTime> {
  const firstDay = Math.floor(sinceMs / DAY_MS);
  const rows = await sql.query<{ day: number }>(
    `select distinct day from ${notes} where day >= $1 order by day`,
    [firstDay],
  );
  const changed = rows.map(({ day }) => day);
  // Of the first day only a part is wanted, which its totals can't tell.
  const days = sinceMs % DAY_MS === 0 || changed[0] === firstDay ? changed : [firstDay, ...changed];
  const spans: Span[] = [];
  for (const day of days) {
    const last = spans.at(-1);
    const span = { fromMs: Math.max(day * DAY_MS, sinceMs), toMs: (day + 1) * DAY_MS };
    if (last?.toMs === span.fromMs) spans.splice(-1, 1, { ...last, toMs: span.toMs });
    else spans.push(span);
  }
  const [first] = spans;
  const last = spans.at(-1);
  if (first === undefined || last === undefined || spans.length <= MAX_SPANS) return { firstDay, spans };
  return { firstDay, spans: [{ fromMs: first.fromMs, toMs: last.toMs }] };
}

/** Adds the conditions that a row of totals is valid. */
export function addValidDays({ value, add }: Conditions, { firstDay, spans }: SplitTime): void {
  add(`day >= ${value(firstDay)}`);
  for (const { fromMs, toMs } of spans)
    add(`not (day >= ${value(Math.floor(fromMs / DAY_MS))} and day < ${value(toMs / DAY_MS)})`);
}

/** Adds the condition that a row's time is in the span. */
export function addSpan({ value, add }: Conditions, time: string, { fromMs, toMs }: Span): void {
  add(`${time} >= ${value(fromMs)} and ${time} < ${value(toMs)}`);
}

/** A day takes milliseconds. After an upgrade, the other days follow with the next call, newest first. */
const MAX_DAYS_AT_ONCE = 200;

/** `refresh` replaces the totals of a day in the transaction that removes its notes. */
export async function refreshChangedDays(
  notes: DayNotes,
  refresh: (day: number, sql: Sql) => Promise<void>,
  database: Database,
): Promise<void> {
  const days = await database.query<{ day: number }>(
    `select distinct day from ${notes} order by day desc limit ${MAX_DAYS_AT_ONCE}`,
  );
  for (const { day } of days) {
    await database.transaction(async (sql) => {
      // Another process that refreshes the day holds these rows until it is done. A note that isn't committed yet stays.
      const removed = await sql.query(`delete from ${notes} where day = $1 returning id`, [day]);
      if (removed.length > 0) await refresh(day, sql);
    });
    await yieldToEventLoop();
  }
}
