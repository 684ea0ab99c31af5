/** Git commands that end in time: killed when their time is over or nobody waits for the answer any more. */
import { KodiaiError } from "../../base/errors.ts";
import type { Deadline } from "../repository.ts";
import type { GitOptions } from "./run-git.ts";

/** A process cannot use more in that time. The limit is there for the one on memory, which comes with it. */
export function cpuSecondsOf(maxMs: number): number {
  return Math.ceil(maxMs / 1_000) + 1;
}

/** Runs a git command with a signal that also speaks when the time is over. */
export type InTime = <Value>(work: (git: GitOptions) => Promise<Value>) => Promise<Value>;

export function within({ maxMs, signal }: Deadline, git: GitOptions): InTime {
  return async (work) => {
    const late = AbortSignal.timeout(maxMs);
    const signals = git.signal === undefined ? [late, signal] : [late, signal, git.signal];
    try {
      return await work({ ...git, signal: AbortSignal.any(signals), maxCpuSeconds: cpuSecondsOf(maxMs) });
    } catch (error) {
      if (!late.aborted || signals.some((each) => each !== late && each.aborted)) throw error;
      throw new KodiaiError("git", `git took more than ${Math.round(maxMs / 1_000)} s and was stopped`, {
        hint: "Ask for less at a time.",
        cause: error,
      });
    }
  };
}
