/**
 * The Queue port over SQLite, for any number of processes that share the file. Every call is one short transaction, and
 * concurrent calls share a commit. A claim that finds no work writes nothing.
 */
import type { Database, Sql } from "../../store/database.ts";
import { type QueueTransaction, openQueueTransaction } from "../rules/queue-transaction.ts";
import { cancelJob, completeJob, returnToQueue, renewLease, requeueJob, retryJob } from "../rules/end-job.ts";
import { enqueueJobs, enqueueWith, findExisting } from "../rules/enqueue-jobs.ts";
import { crashJob } from "../rules/lost-leases.ts";
import {
  forgetJobs,
  listJobs,
  isAnyJobOpen,
  listSerialJobs,
  pruneJobs,
  readJob,
  readReplaced,
  readStats,
} from "../rules/read-jobs.ts";
import { claimJob, mayClaim } from "./claim-job.ts";
import { deleteIdleTurns, queueGroupTurns } from "./group-turns.ts";
import { createWakeSignal } from "../wake-signal.ts";
import type { Claim, ClaimRequest, Enqueuing, JobRequest, Queue, QueueOptions } from "../queue.ts";

export function createSqliteQueue(database: Database, options: QueueOptions, now: () => number): Queue {
  const signal = createWakeSignal();
  let isIdle = true;

  async function runWith<Value>(
    sql: Sql,
    work: (transaction: QueueTransaction) => Promise<Value>,
  ): Promise<Value> {
    const transaction = openQueueTransaction(sql, now());
    const value = await work(transaction);
    await queueGroupTurns(transaction);
    return value;
  }

  /** Wakes waiting workers afterwards, because a job that ends may unblock another. */
  async function change<Value>(work: (transaction: QueueTransaction) => Promise<Value>): Promise<Value> {
    const value = await database.transaction((sql) => runWith(sql, work));
    signal.wake();
    return value;
  }

  async function claim(request: ClaimRequest): Promise<Claim | null> {
    const check = signal.startCheck();
    // While there is work, a read-only check first would only cost time.
    const mayFind = !isIdle || (await mayClaim(request, options, now(), database));
    const found = mayFind
      ? await database.transaction((sql) =>
          runWith(sql, (transaction) => claimJob(request, options, transaction)),
        )
      : null;
    isIdle = found === null;
    if (found === null) signal.foundNothing(check);
    return found;
  }

  async function startEnqueuing(requests: readonly JobRequest[], sql: Sql): Promise<Enqueuing> {
    const existing = await findExisting(requests, sql);
    const transaction = openQueueTransaction(sql, now());
    return {
      add: (wanted) => enqueueJobs(wanted, existing, transaction),
      finish: () => queueGroupTurns(transaction),
    };
  }

  return {
    enqueue: enqueueWith(startEnqueuing),
    startEnqueuing,
    wake: signal.wake,
    waitForWork: signal.wait,
    claim,
    heartbeat: (held, step) =>
      database.transaction((sql) => renewLease(held, { step, untilMs: now() + options.leaseMs }, sql)),
    complete: (held, completion) => change((transaction) => completeJob(held, completion, transaction)),
    retry: (held, reason) => change((transaction) => retryJob(held, reason, options, transaction)),
    park: (held, untilMs, reason) =>
      change((transaction) => returnToQueue(held, { untilMs, reason }, transaction)),
    release: (held) =>
      change((transaction) => returnToQueue(held, { untilMs: transaction.nowMs, reason: null }, transaction)),
    crash: (held) => change((transaction) => crashJob(held, options, transaction)),
    cancel: (jobId, reason) => change((transaction) => cancelJob(jobId, reason, transaction)),
    requeue: (jobId) => change((transaction) => requeueJob(jobId, transaction)),
    read: (jobId) => readJob(jobId, database),
    supersededBy: (jobId) => readReplaced(jobId, database),
    list: (filter) => listJobs(filter, database),
    isAnyOpen: (keys) => isAnyJobOpen(keys, database),
    listSerial: (prefix) => listSerialJobs(prefix, database),
    forget: (jobIds) => forgetJobs(jobIds, database),
    stats: () => readStats(now(), database),
    async prune(beforeMs) {
      const pruned = await pruneJobs(beforeMs, database);
      await deleteIdleTurns(database);
      return pruned;
    },
    close: () => Promise.resolve(),
  };
}
