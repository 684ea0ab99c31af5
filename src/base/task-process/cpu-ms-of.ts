/** The CPU time that a running process has used. */
import { readFileSync } from "node:fs";

/** Linux counts in ticks of this length, on every architecture that Node supports. */
const TICK_MS = 10;

/** The places of user and system time, counted from the process's state, which follows its name in parentheses. */
const USER_FIELD = 11;
const SYSTEM_FIELD = 12;

/** Milliseconds of all its threads, without the processes that it started. Null when the system doesn't say, or the process is gone. */
export function cpuMsOf(pid: number | undefined): number | null {
  if (process.platform !== "linux" || pid === undefined) return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[USER_FIELD]) + Number(fields[SYSTEM_FIELD]);
    return Number.isFinite(ticks) ? ticks * TICK_MS : null;
  } catch {
    return null;
  }
}
