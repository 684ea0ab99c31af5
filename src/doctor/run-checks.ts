/** Runs checks side by side. Each has a time limit, so that a network that hangs can't hang the command. */
import { within } from "../base/within.ts";
import {
  adviceOf,
  CHECK_STATES,
  type CheckLine,
  type DoctorCheck,
  type CheckFinding,
  unknown,
} from "./check.ts";

/** A check sends a few requests, each of which may take twelve seconds. The database waits seven for a restart. */
export const CHECK_LIMIT_MS = 60_000;

export type RunOptions = {
  readonly signal: AbortSignal;
  /** For checks that have no limit of their own. Left out: CHECK_LIMIT_MS. */
  readonly limitMs?: number;
  /** Removes secrets from a text. */
  readonly mask: (text: string) => string;
};

/** The worst last, because a terminal shows the end. Within a state, in the order of the checks. */
export async function runChecks(
  checks: readonly DoctorCheck[],
  { signal, mask, limitMs = CHECK_LIMIT_MS }: RunOptions,
): Promise<readonly CheckLine[]> {
  const lines = await Promise.all(
    checks.map(async (check) => {
      const found = await runOne(check, limitMs, signal);
      return found.map(({ what, remedy, ...line }) => ({
        name: check.name,
        ...line,
        what: mask(what),
        remedy: remedy === null ? null : mask(remedy),
      }));
    }),
  );
  signal.throwIfAborted();
  const rankOf = ({ state }: CheckLine): number => CHECK_STATES.indexOf(state);
  return lines.flat().toSorted((a, b) => rankOf(a) - rankOf(b));
}

async function runOne(
  { run, limitMs: own }: DoctorCheck,
  usualMs: number,
  signal: AbortSignal,
): Promise<readonly CheckFinding[]> {
  const limitMs = own ?? usualMs;
  const seconds = Math.round(limitMs / 1_000);
  const late = (): Error => new Error(`The check didn't finish within ${seconds} seconds`);
  try {
    return await within({ ms: limitMs, signal, late }, run);
  } catch (error) {
    return [unknown("check-not-finished", adviceOf(error))];
  }
}

/** Whether everything that was checked is in order. A check that couldn't run isn't. */
export function isHealthy(lines: readonly Pick<CheckLine, "state">[]): boolean {
  return lines.every(({ state }) => state !== "failure" && state !== "unknown");
}
