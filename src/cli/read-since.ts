/** Reads a time in the past from an option: `12h`, `7d`, `4w`, or a date. */
import { DAY_MS } from "../base/day-ms.ts";
import type { Command } from "./command.ts";
import { usage } from "./parse-arguments.ts";

const UNITS_MS: Readonly<Record<string, number>> = { h: 60 * 60 * 1_000, d: DAY_MS, w: 7 * DAY_MS };

/** In milliseconds since 1970. */
export function readSince(value: string | true, nowMs: number, command: Command): number {
  const [, amount, unit] = /^(\d{1,4})([hdw])$/.exec(String(value)) ?? [];
  const unitMs = UNITS_MS[unit ?? ""];
  if (amount !== undefined && unitMs !== undefined) return nowMs - Number(amount) * unitMs;
  const date = /^\d{4}-\d{2}-\d{2}$/.test(String(value)) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  if (!Number.isNaN(date) && date <= nowMs) return date;
  throw usage(
    command,
    "--since must be a time such as 12h, 7d or 4w, or a date in the past such as 2026-01-31",
  );
}
