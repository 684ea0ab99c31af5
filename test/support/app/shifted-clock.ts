/**
 * Loaded before the program: its machine's clock is wrong by some milliseconds. Only what asks for the date sees it; the time
 * since the start of the process is measured by another clock, which nobody can set.
 */
import { pathToFileURL } from "node:url";

const SHIFT = "KODIAI_TEST_CLOCK_MS";

const RealDate = Date;

const shiftMs = Number(process.env[SHIFT] ?? "0");

if (shiftMs !== 0) {
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, asked) =>
      Reflect.construct(target, given.length === 0 ? [RealDate.now() + shiftMs] : given, asked),
    get: (target, name, receiver) =>
      name === "now" ? () => RealDate.now() + shiftMs : Reflect.get(target, name, receiver),
  });
}

/** Settings of a process whose clock is ahead by so much, or behind. */
export function withClockAhead(ms: number): Readonly<Record<string, string>> {
  const self = pathToFileURL(import.meta.filename).href;
  return { NODE_OPTIONS: `--import=${self}`, [SHIFT]: String(ms) };
}
