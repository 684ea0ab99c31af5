/**
 * Loaded before the program: its machine's clock is wrong by some milliseconds, from the start or from when a test says so.
 * Only what asks for the date sees it; the time since the start of the process is measured by another clock, which can't
 * be set.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const SHIFT = "KODIAI_TEST_CLOCK_MS";
const SHIFT_FILE = "KODIAI_TEST_CLOCK_FILE";

const RealDate = Date;

const file = process.env[SHIFT_FILE];
const fixedMs = Number(process.env[SHIFT] ?? "0");

const shiftMs = (): number => (file === undefined ? fixedMs : Number(readFileSync(file, "utf8")));

if (file !== undefined || fixedMs !== 0) {
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, asked) =>
      Reflect.construct(target, given.length === 0 ? [RealDate.now() + shiftMs()] : given, asked),
    get: (target, name, receiver) =>
      name === "now" ? () => RealDate.now() + shiftMs() : Reflect.get(target, name, receiver),
  });
}

const preloaded = (): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import=${pathToFileURL(import.meta.filename).href}`,
});

/** Settings of a process whose clock is ahead by so much, or behind. */
export function withClockAhead(ms: number): Readonly<Record<string, string>> {
  return { ...preloaded(), [SHIFT]: String(ms) };
}

/** The clock of one machine, for all processes with these settings; it is right until it is set. */
export function createSettableClock(path: string) {
  const set = (aheadMs: number): void => writeFileSync(path, String(aheadMs).padStart(20));
  set(0);
  return { set, environment: { ...preloaded(), [SHIFT_FILE]: path } };
}
