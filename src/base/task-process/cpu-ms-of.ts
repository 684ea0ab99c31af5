/** The CPU time that a running process has used. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Milliseconds of all its threads, without the processes that it started. Null when it couldn't be read, or the process is gone. */
export type CpuReader = (pid: number | undefined) => number | null;

/** Linux counts in ticks of this length, on every architecture that Node supports. */
const TICK_MS = 10;

/** The places of user and system time, counted from the process's state, which follows its name in parentheses. */
const USER_FIELD = 11;
const SYSTEM_FIELD = 12;

/** `ps` takes a few milliseconds, and more on a busy machine. It runs only when a task has used up its limit on the clock. */
const MAX_PS_MS = 2_000;

/** Null where no one tells the time of another process. */
export const cpuMsOf: CpuReader | null =
  process.platform === "win32"
    ? null
    : (pid) => {
        if (pid === undefined) return null;
        try {
          return process.platform === "linux"
            ? parseStat(readFileSync(`/proc/${pid}/stat`, "latin1"))
            : parsePsTime(askPs(pid));
        } catch {
          return null;
        }
      };

function askPs(pid: number): string {
  const stdio = ["ignore", "pipe", "ignore"] as const;
  return execFileSync("ps", ["-o", "time=", "-p", String(pid)], {
    encoding: "latin1",
    timeout: MAX_PS_MS,
    stdio: [...stdio],
  });
}

function parseStat(stat: string): number | null {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[USER_FIELD]) + Number(fields[SYSTEM_FIELD]);
  return Number.isFinite(ticks) ? ticks * TICK_MS : null;
}

const PS_TIME = /^(?:(?:(?<days>\d+)-)?(?<hours>\d+):)?(?<minutes>\d+):(?<seconds>\d+(?:\.\d+)?)$/;

/** "0:01.25" on macOS, "00:00:01" and "1-02:03:04" elsewhere. */
export function parsePsTime(printed: string): number | null {
  const { days = 0, hours = 0, minutes = 0, seconds } = PS_TIME.exec(printed.trim())?.groups ?? {};
  if (seconds === undefined) return null;
  const wholeMinutes = (Number(days) * 24 + Number(hours)) * 60 + Number(minutes);
  return Math.round((wholeMinutes * 60 + Number(seconds)) * 1_000);
}
