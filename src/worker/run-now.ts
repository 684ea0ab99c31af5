/**
 * Runs one job here and now for somebody who waits: it is queued like any other, in a lane that no other worker looks
 * into, so that everything that holds for jobs holds for it too.
 */
import { type Job, type JobRequest, RESERVED_LANE_PREFIX } from "../queue/queue.ts";
import type { Database } from "../store/database.ts";
import { createWorker, type WorkerDeps } from "./worker.ts";

/** How often its progress is looked up. */
const WATCH_EVERY_MS = 200;

export type RunNowDeps = WorkerDeps & {
  readonly database: Database;
  readonly workerName: string;
  readonly onStep: (step: string) => void;
  /** Nobody waits any more: the job is cancelled, and ends before its next visible step. */
  readonly signal: AbortSignal;
};

/** Resolves when the job has ended, whichever way. */
export async function runNow(request: JobRequest, deps: RunNowDeps): Promise<Job> {
  const { database, queue, workerName } = deps;
  const lane = `${RESERVED_LANE_PREFIX}${request.key}`;
  const [enqueued] = await database.transaction((sql) => queue.enqueue([{ ...request, lane }], sql));
  if (enqueued === undefined) throw new TypeError("enqueue answers every request");
  const worker = createWorker(
    { name: workerName, concurrency: 1, lanes: [lane], shortLanes: [] },
    // Whoever waits is told of a failure at once.
    { ...deps, queueOptions: { ...deps.queueOptions, maxAttempts: 1 } },
  );
  try {
    return await watch(enqueued.jobId, deps);
  } finally {
    await worker.stop();
  }
}

async function watch(jobId: number, { queue, onStep, signal }: RunNowDeps): Promise<Job> {
  let isCancelled = false;
  for (;;) {
    if (signal.aborted && !isCancelled) isCancelled = await queue.cancel(jobId, "cancelled:by-hand");
    const job = await queue.read(jobId);
    if (job === null) throw new TypeError("a job that was queued is listed");
    if (job.state !== "queued" && job.state !== "running") return job;
    onStep(job.step ?? job.reason ?? "waiting");
    await new Promise((resolve) => void setTimeout(resolve, WATCH_EVERY_MS));
  }
}
