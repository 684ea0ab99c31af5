/** Runs git commands with a deadline: git is killed when the time is up or the caller aborts. */
import { KodiaiError } from "../../base/errors.ts";
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
    const late = AbortSignal.timeout(maxMs);
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
