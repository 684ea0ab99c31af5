/**
 * Claims jobs and runs several at a time: renews leases, retries temporary failures, gives up on permanent ones, and shuts
 * down gracefully. It finds a recipe by the kind of a job and knows nothing else about it.
 */
import { messageOf } from "../base/errors.ts";
import { runInProcess, type StartJobProcess } from "./run-in-process.ts";
import { type JobRunDeps, runClaim } from "./run-claim.ts";

export type WorkerDeps = JobRunDeps & { readonly startJobProcess: StartJobProcess };

export type WorkerOptions = {
  /** Unique to this process. */
  readonly name: string;
  readonly concurrency: number;
  /** Null for every lane that isn't reserved for one worker. */
  readonly lanes: readonly string[] | null;
  /** Groups of lanes with a slot of their own each, because their jobs must not wait minutes behind reviews. */
  readonly shortLanes: readonly (readonly string[])[];
};

export type Worker = {
  /** Resolves when every job has finished or is back in the queue. */
  stop(): Promise<void>;
};

/** Another process may queue a job without waking this one. */
const POLL_MS = 1_000;

/** Prevents a tight loop while the database or the queue fails. */
const PAUSE_AFTER_FAILURE_MS = 2_000;

/** Time for running jobs to finish during a shutdown. After that they go back to the queue. */
const GRACE_PERIOD_MS = 25_000;

/** Time for a stopped job to clean up its files and tokens. Service managers often kill a process 30 s after the stop signal. */
export const CLEANUP_MS = 4_000;

export function createWorker(options: WorkerOptions, deps: WorkerDeps): Worker {
  const stopping = new AbortController();
  const releaseRequested = new AbortController();
  const hardStop = new AbortController();

  /** False if there is no job. */
  const runOne = async (lanes: readonly string[] | null): Promise<boolean> => {
    const claim = await deps.queue.claim({ worker: options.name, lanes });
    if (claim === null) return false;
    const run = claim.job.isSuspect ? runInProcess : runClaim;
    await run(claim, { ...deps, releaseRequested: releaseRequested.signal, hardStop: hardStop.signal });
    return true;
  };

  const loop = async (lanes: readonly string[] | null): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const isBusy = await runOne(lanes);
        if (!isBusy) await deps.queue.waitForWork(POLL_MS, stopping.signal);
      } catch (error) {
        deps.log.error("queue failed", { error: messageOf(error) });
        await pause(PAUSE_AFTER_FAILURE_MS, stopping.signal);
      }
    }
  };

  const slots = Array.from({ length: options.concurrency }, () => loop(options.lanes));
  const ended = Promise.all([...slots, ...options.shortLanes.map((group) => loop(group))]);

  return {
    async stop() {
      stopping.abort();
      const timers = [
        setTimeout(() => releaseRequested.abort(), GRACE_PERIOD_MS),
        setTimeout(() => hardStop.abort(), GRACE_PERIOD_MS + CLEANUP_MS),
      ];
      await ended;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const resume = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", resume);
      resolve();
    };
    const timer = setTimeout(resume, ms);
    signal.addEventListener("abort", resume, { once: true });
    if (signal.aborted) resume();
  });
}
