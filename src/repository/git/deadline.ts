/** Runs git commands with a deadline: git is killed when the time is up or the caller aborts. */
import { KodiaiError } from "../../base/errors.ts";
import { type CpuReader, cpuMsOf } from "../../base/task-process/cpu-ms-of.ts";
import { CLOCK_MS_PER_CPU_MS } from "../../base/work-budget.ts";
import type { Deadline } from "../repository.ts";
import type { GitOptions } from "./run-git.ts";

/** A process can't use more CPU time than this. The limit exists because the memory limit is only set together with it. */
export function cpuSecondsOf(maxMs: number): number {
  return Math.ceil(maxMs / 1_000) + 1;
}

/** Runs work with a signal that also aborts when the time is up. */
export type WithDeadline = <Value>(work: (git: GitOptions) => Promise<Value>) => Promise<Value>;

export function withDeadline({ maxMs, signal }: Deadline, git: GitOptions): WithDeadline {
  return async (work) => {
    const late = AbortSignal.timeout(maxMs * CLOCK_MS_PER_CPU_MS);
    const signals = git.signal === undefined ? [late, signal] : [late, signal, git.signal];
    try {
      return await work({ ...git, signal: AbortSignal.any(signals), maxCpuSeconds: cpuSecondsOf(maxMs) });
    } catch (error) {
      if (!late.aborted || signals.some((each) => each !== late && each.aborted)) throw error;
      throw new KodiaiError("git", `git took more than ${Math.round(maxMs / 1_000)} s and was stopped`, {
        hint: "Request less at a time.",
        cause: error,
      });
    }
  };
}

/** How often a running git is looked at. On macOS, a look starts a process. */
const LOOK_MS = 200;
const MIN_LOOK_MS = 50;

/** The limit of one git process whose output is worked on while it runs. */
export type WorkLimit = {
  /** Aborted when the limit is reached. */
  readonly signal: AbortSignal;
  readonly onStart: (pid: number | undefined) => void;
  /** Time of ours that counts as well. */
  readonly add: (ms: number) => void;
  /** Returns the CPU time that was used. Use since the last look is counted by the clock. */
  readonly end: () => number;
};

/** `readCpuMs`: null where the clock has to do. */
export function createWorkLimit(maxMs: number, readCpuMs: CpuReader | null = cpuMsOf): WorkLimit {
  const late = new AbortController();
  const startMs = performance.now();
  let pid: number | undefined;
  let ownMs = 0;
  let seen = { cpuMs: 0, atMs: startMs };
  const look = (): void => {
    const atMs = performance.now();
    const cpuMs = readCpuMs === null ? atMs - startMs : (readCpuMs(pid) ?? seen.cpuMs);
    seen = { cpuMs, atMs };
    const leftMs = Math.min(maxMs - cpuMs - ownMs, maxMs * CLOCK_MS_PER_CPU_MS - (atMs - startMs));
    if (leftMs <= 0) late.abort();
    else timer = setTimeout(look, Math.max(MIN_LOOK_MS, Math.min(leftMs, LOOK_MS)));
  };
  let timer = setTimeout(look, Math.min(maxMs, LOOK_MS));
  return {
    signal: late.signal,
    onStart: (started) => void (pid = started),
    add: (ms) => void (ownMs += ms),
    end() {
      clearTimeout(timer);
      return seen.cpuMs + (performance.now() - seen.atMs);
    },
  };
}
