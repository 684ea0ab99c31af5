/**
 * Runs one job in this process for a user who waits. The job is queued like any other, so all rules of the queue apply, but
 * in a lane that no other worker claims from.
 */
import { type Job, type JobRequest, type Queue, RESERVED_LANE_PREFIX } from "../queue/queue.ts";
import type { Database } from "../store/database.ts";
import { createWorker, type WorkerDeps } from "./worker.ts";

/** How often the job's progress is read. */
const WATCH_EVERY_MS = 200;

/** The user who waits. */
export type Waiting = {
  readonly workerName: string;
  readonly onStep: (step: string) => void;
  /** Aborting it cancels the job, which stops before its next visible step. */
  readonly signal: AbortSignal;
};

/** Resolves when the job has finished, successfully or not. */
export async function runNow(
  request: JobRequest,
  waiting: Waiting,
  { database, worker: deps }: { readonly database: Database; readonly worker: WorkerDeps },
): Promise<Job> {
  const { queue, queueOptions } = deps;
  const lane = `${RESERVED_LANE_PREFIX}${request.key}`;
  const [enqueued] = await database.transaction((sql) => queue.enqueue([{ ...request, lane }], sql));
  if (enqueued === undefined) throw new TypeError("enqueue must return a job for each request");
  const worker = createWorker(
    { name: waiting.workerName, concurrency: 1, lanes: [lane], shortLanes: [] },
    // The user sees a failure at once, so the job isn't retried.
    { ...deps, queueOptions: { ...queueOptions, maxAttempts: 1 } },
  );
  try {
    return await watch(enqueued.jobId, waiting, queue);
  } finally {
    await worker.stop();
  }
}

async function watch(jobId: number, { onStep, signal }: Waiting, queue: Queue): Promise<Job> {
  let isCancelled = false;
  for (;;) {
    if (signal.aborted && !isCancelled) isCancelled = await queue.cancel(jobId, "cancelled:by-hand");
    const job = await queue.read(jobId);
    if (job === null) throw new TypeError("a queued job must be readable");
    if (job.state !== "queued" && job.state !== "running") return job;
    onStep(job.step ?? job.reason ?? "waiting");
    await new Promise((resolve) => void setTimeout(resolve, WATCH_EVERY_MS));
  }
}
