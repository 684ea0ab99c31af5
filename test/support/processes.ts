/** Inspects processes of this machine, on Linux. */
import { readdirSync, readFileSync } from "node:fs";

/** All running children of a process. */
export function childrenOf(parent: number): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => statOf(pid)?.parent === parent && isAlive(pid));
}

/** The reader process of this process; null if there is none. */
export function readerOf(parent: number): number | null {
  return childrenOf(parent).find((pid) => commandOf(pid).includes("reader-main")) ?? null;
}

export function isAlive(pid: number): boolean {
  return statOf(pid)?.isGone === false;
}

/** Kills a process unless it has exited since its id was read. Returns whether it was still there. */
export function killIfRunning(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}

function statOf(pid: number): { readonly parent: number; readonly isGone: boolean } | null {
  const [, after = ""] = readProc(pid, "stat").split(") ");
  const [state, parent] = after.split(" ");
  return state === undefined || state === "" ? null : { parent: Number(parent), isGone: state === "Z" };
}

function commandOf(pid: number): string {
  return readProc(pid, "cmdline");
}

function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return "";
  }
}
