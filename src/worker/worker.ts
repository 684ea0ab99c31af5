/**
 * Claims jobs and runs them, several at a time: renews leases, tries again what may pass, gives up what may not, and
 * stops in order. It knows recipes by the kind of their jobs and nothing of what they do.
 */
import { messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { JobReport, Recipe } from "../jobs/recipe.ts";
import type { Queue, QueueOptions } from "../queue/queue.ts";
import { runInProcess, type StartJobProcess } from "./run-in-process.ts";
import { runClaim } from "./run-claim.ts";

/** What running one job needs. */
export type JobRunDeps = {
  readonly queue: Queue;
  readonly recipes: Readonly<Record<string, Recipe>>;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** As the queue is set to: leases to renew, and attempts after which people are told that nothing more will come. */
  readonly queueOptions: Pick<QueueOptions, "leaseMs" | "maxAttempts">;
  /** Told of every job that was worked on. Never throws. */
  readonly onReport: (report: JobReport) => void;
};

export type WorkerDeps = JobRunDeps & { readonly startJobProcess: StartJobProcess };

export type WorkerOptions = {
  /** Of this process and no other, ever. */
  readonly name: string;
  readonly concurrency: number;
  /** Null: every lane but those that name their worker. */
  readonly lanes: readonly string[] | null;
  /** Reviews take minutes; these must not wait behind them, so they have a slot of their own. */
  readonly shortLanes: readonly string[];
};

export type Worker = {
  /** Resolves when every job has ended or was given back. */
  stop(): Promise<void>;
};

/** Another process may have queued something without this one being woken. */
const POLL_MS = 1_000;

/** After the database or the queue failed, so that a broken disk is not asked in a tight loop. */
const PAUSE_AFTER_FAILURE_MS = 2_000;

/** What a running job gets to come to its end once the process is told to stop; then it is given back. */
const STOP_WITHIN_MS = 25_000;

/** What it then gets to let go of its files and tokens. Who stops a process often kills it after 30 s. */
export const LET_GO_WITHIN_MS = 4_000;

export function createWorker(options: WorkerOptions, deps: WorkerDeps): Worker {
  const stopping = new AbortController();
  const giveBack = new AbortController();
  const abandon = new AbortController();

  /** False when there is none. */
  const runOne = async (lanes: readonly string[] | null): Promise<boolean> => {
    const claim = await deps.queue.claim({ worker: options.name, lanes });
    if (claim === null) return false;
    const run = claim.job.isSuspect ? runInProcess : runClaim;
    await run(claim, { ...deps, giveBack: giveBack.signal, abandon: abandon.signal });
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
  if (options.shortLanes.length > 0) slots.push(loop(options.shortLanes));
  const ended = Promise.all(slots);

  return {
    async stop() {
      stopping.abort();
      const timers = [
        setTimeout(() => giveBack.abort(), STOP_WITHIN_MS),
        setTimeout(() => abandon.abort(), STOP_WITHIN_MS + LET_GO_WITHIN_MS),
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
