/** Runs everything that is queued in this process, until nothing is left, for a caller who waits. */
import type { Job, Queue } from "../queue/queue.ts";
import { createWorker, type WorkerDeps, type WorkerOptions } from "./worker.ts";
import type { Waiting } from "./run-now.ts";

/** How often the progress of jobs is read. */
const WATCH_EVERY_MS = 100;

/**
 * The longest that a job may wait for something outside, such as the end of a rate limit. It is worth minutes of a runner, which
 * costs money, but not the hour that a limit can last.
 */
const MAX_WAIT_MS = 10 * 60_000;

/** Far more than one event starts. */
const MAX_JOBS = 1_000;

/** Resolves with all jobs of the queue, oldest first, when none of them is queued or running. */
export async function runUntilIdle(
  { shortLanes, ...waiting }: Waiting & Pick<WorkerOptions, "shortLanes">,
  deps: WorkerDeps,
): Promise<readonly Job[]> {
  const worker = createWorker({ name: waiting.workerName, concurrency: 1, lanes: null, shortLanes }, deps);
  try {
    return await watchAll(waiting, deps);
  } finally {
    await worker.stop();
  }
}

async function watchAll(
  { onStep, signal }: Waiting,
  { queue, now }: Pick<WorkerDeps, "queue" | "now">,
): Promise<readonly Job[]> {
  for (;;) {
    const jobs = (await queue.list({ states: null, limit: MAX_JOBS })).toReversed();
    const open = jobs.filter(({ state }) => state === "queued" || state === "running");
    if (open.length === 0) return jobs;
    for (const job of open) await cancelIfNeeded(job, signal, { queue, now });
    const { step, reason } = open.find(({ state }) => state === "running") ?? open[0] ?? {};
    onStep(step ?? reason ?? "waiting");
    await new Promise((resolve) => void setTimeout(resolve, WATCH_EVERY_MS));
  }
}

async function cancelIfNeeded(
  { id, state, runAt }: Job,
  signal: AbortSignal,
  { queue, now }: { readonly queue: Queue; readonly now: () => number },
): Promise<void> {
  if (signal.aborted) await queue.cancel(id, "cancelled:by-hand");
  else if (state === "queued" && runAt > now() + MAX_WAIT_MS) await queue.cancel(id, "cancelled:long-wait");
}
