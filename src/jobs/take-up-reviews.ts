/**
 * Takes up reviews that an outage of a model's provider left without the model: it enqueues another review of the same head, newest
 * first, a few at a time and less and less often. The job itself decides whether the model is still owed.
 */
import { DAY_MS } from "../base/day-ms.ts";
import { KodiaiError } from "../base/errors.ts";
import type { Forge, PullRequest } from "../forge/forge.ts";
import type { Queue } from "../queue/queue.ts";
import type { Database } from "../store/database.ts";
import { readPause } from "../store/repositories/pauses.ts";
import type { OutageRun } from "../store/repositories/runs.ts";
import { planReview } from "./plan-job.ts";
import { parseReviewJob, type ReviewJob } from "./review-job.ts";
import { findRunsInOutage } from "./run/run-record.ts";

const MINUTE_MS = 60 * 1_000;

/**
 * How long after the failed review the next one starts, by how many were started before. Most outages last minutes, some hours. After
 * the last one, a push or a person's request is needed.
 */
const DELAYS_MS = [5, 15, 60, 4 * 60, 12 * 60, 24 * 60].map((minutes) => minutes * MINUTE_MS);

/** Longer than the longest delay, with time to work off a backlog. An older pull request has been looked at by people. */
const MAX_AGE_MS = 2 * DAY_MS;

/** With a pass every five minutes: 120 per hour, so that neither a weak provider nor waiting pushes suffer from a backlog. */
const MAX_PER_PASS = 10;

/** More than a pass starts, because some aren't due, paused or closed. */
const MAX_CANDIDATES = 500;

export type TakeUpDeps = {
  readonly forge: Pick<Forge, "openSession">;
  readonly queue: Pick<Queue, "enqueue" | "read" | "wake">;
  readonly database: Database;
  readonly now: () => number;
};

/**
 * Returns a function that takes up what is due, and returns how many it started. It remembers what it has decided, so that closed pull
 * requests and failing jobs don't come up again in every pass.
 */
export function createTakeUp(deps: TakeUpDeps): (signal: AbortSignal) => Promise<number> {
  const decided = new Set<string>();
  return async (signal) => {
    const nowMs = deps.now();
    const window = { sinceMs: nowMs - MAX_AGE_MS, limit: MAX_CANDIDATES };
    const candidates = await findRunsInOutage(window, deps.database);
    const due = candidates.filter(({ finishedAt, tries }) => {
      const delayMs = DELAYS_MS[tries];
      return delayMs !== undefined && nowMs - finishedAt >= delayMs;
    });
    const byName = new Map(due.map((run) => [`${run.id}/${run.tries}`, run]));
    for (const name of decided) if (!byName.has(name)) decided.delete(name);
    let started = 0;
    for (const [name, run] of byName) {
      if (started >= MAX_PER_PASS) break;
      if (decided.has(name)) continue;
      signal.throwIfAborted();
      if ((await readPause(run, deps.database)) !== null) continue;
      if (await takeUp(run, deps)) started++;
      decided.add(name);
    }
    if (started > 0) deps.queue.wake();
    return started;
  };
}

async function takeUp(run: OutageRun, deps: TakeUpDeps): Promise<boolean> {
  const job = await deps.queue.read(run.jobId);
  if (job === null) return false;
  const { repositoryRef, requester } = parseReviewJob(job.payload);
  const pullRequest = await readIfThere({ repositoryRef, number: run.pullRequest }, deps);
  if (pullRequest === null || !pullRequest.isOpen || pullRequest.head !== run.head) return false;
  const { request } = planReview({
    repositoryRef,
    number: run.pullRequest,
    head: run.head,
    isBot: pullRequest.author.isBot,
    trigger: "model-back",
    // Each failed review is followed by one job.
    requestId: `outage-${run.id}`,
    isFull: false,
    reactTo: null,
    requester,
  });
  const [enqueued] = await deps.database.transaction((sql) => deps.queue.enqueue([request], sql));
  return enqueued?.isNew === true;
}

/** Null if the pull request is gone or the app no longer has access. */
async function readIfThere(
  { repositoryRef, number }: Pick<ReviewJob, "repositoryRef" | "number">,
  { forge }: Pick<TakeUpDeps, "forge">,
): Promise<PullRequest | null> {
  const session = forge.openSession(repositoryRef);
  try {
    return await session.pullRequests.read(number);
  } catch (error) {
    if (!(error instanceof KodiaiError) || error.retryable) throw error;
    return null;
  } finally {
    await session.close();
  }
}
