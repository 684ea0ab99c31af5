/**
 * The Queue port over SQLite, for any number of processes that share the file. Every call is one short transaction; the
 * database makes calls of the same moment share a commit. Looking for work and finding none writes nothing.
 */
import type { Database, Sql } from "../store/database.ts";
import { claimJob, mayClaim } from "./sqlite/claim-job.ts";
import { cancelJob, completeJob, putBack, renewLease, requeueJob, retryJob } from "./sqlite/end-job.ts";
import { enqueueJobs } from "./sqlite/enqueue-jobs.ts";
import { listJobs, pruneJobs, readJob, readReplaced, readStats } from "./sqlite/read-jobs.ts";
import { createWakeSignal } from "./wake-signal.ts";
import type { Claim, ClaimRequest, Queue, QueueOptions } from "./queue.ts";

export function createSqliteQueue(database: Database, options: QueueOptions, now: () => number): Queue {
  const signal = createWakeSignal();
  let isIdle = true;

  /** A job that leaves its worker may make room for another. */
  async function change<Value>(work: (nowMs: number, sql: Sql) => Promise<Value>): Promise<Value> {
    const value = await database.transaction((sql) => work(now(), sql));
    signal.wake();
    return value;
  }

  async function claim(request: ClaimRequest): Promise<Claim | null> {
    const look = signal.look();
    // While there is work, looking twice would only cost time.
    const mayFind = !isIdle || (await mayClaim(request, { options, nowMs: now() }, database));
    const found = mayFind
      ? await database.transaction((sql) => claimJob(request, { options, nowMs: now() }, sql))
      : null;
    isIdle = found === null;
    if (found === null) signal.foundNothing(look);
    return found;
  }

  return {
    enqueue: (requests, sql) => enqueueJobs(requests, now(), sql),
    wake: signal.wake,
    waitForWork: signal.wait,
    claim,
    heartbeat: (held, step) =>
      database.transaction((sql) => renewLease(held, { step, untilMs: now() + options.leaseMs }, sql)),
    complete: (held, completion) => change((nowMs, sql) => completeJob(held, { ...completion, nowMs }, sql)),
    retry: (held, reason) => change((nowMs, sql) => retryJob(held, { options, nowMs, reason }, sql)),
    park: (held, untilMs, reason) => change((nowMs, sql) => putBack(held, { untilMs, nowMs, reason }, sql)),
    release: (held) => change((nowMs, sql) => putBack(held, { untilMs: nowMs, nowMs, reason: null }, sql)),
    cancel: (jobId, reason) => change((nowMs, sql) => cancelJob(jobId, { reason, nowMs }, sql)),
    requeue: (jobId) => change((nowMs, sql) => requeueJob(jobId, nowMs, sql)),
    read: (jobId) => readJob(jobId, database),
    supersededBy: (jobId) => readReplaced(jobId, database),
    list: (filter) => listJobs(filter, database),
    stats: () => readStats(now(), database),
    prune: (beforeMs) => pruneJobs(beforeMs, database),
  };
}
