/**
 * The Queue port over PostgreSQL, for any number of processes on any number of machines. pg-boss keeps the turns of groups.
 * Kodiai's own SQL adds the rest: one job per serial key in enqueue order, superseding, exact group limits, leases with
 * tokens, and a record of every job and its reason.
 */
import type { Database, Sql } from "../../store/database.ts";
import { type QueueTransaction, openQueueTransaction } from "../rules/queue-transaction.ts";
import { cancelJob, completeJob, returnToQueue, renewLease, requeueJob, retryJob } from "../rules/end-job.ts";
import { enqueueJobs, enqueueWith, findExisting } from "../rules/enqueue-jobs.ts";
import { crashJob, endLostLeases, findLostLeases, type LostLease } from "../rules/lost-leases.ts";
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
import { makeDueJobsReady, readDue } from "../rules/readiness.ts";
import { claimJobs } from "./claim-jobs.ts";
import { pruneIdleTurns } from "./prune-idle-turns.ts";
import { createRequestBatcher, type RequestBatch } from "./request-batcher.ts";
import { isReserved, openGroupTurns } from "./group-turns.ts";
import { lockGroups, lockSerialKeys, lockMaintenance, SKIP_LOCKED, lockKeyOf } from "./locks.ts";
import { createWakeSignal } from "../wake-signal.ts";
import type { Claim, ClaimRequest, Enqueuing, Job, JobRequest, Queue, QueueOptions } from "../queue.ts";

export type PostgresQueueDeps = {
  readonly database: Database;
  readonly options: QueueOptions;
  /** Returns the time of the database, which is the same for all processes. */
  readonly now: () => number;
  /** Receives notifications of other processes that there is work. */
  readonly listen: (channel: string, onNotification: () => void) => { stop(): Promise<void> };
  /** Receives errors of operations that are retried automatically. */
  readonly onError: (error: unknown) => void;
};

const CHANNEL = "kodiai_work";

/** A lost notification does no harm, so its commit doesn't wait for the disk, where commits of webhooks would wait behind it. */
const NOTIFY = `select set_config('synchronous_commit', 'off', true), pg_notify('${CHANNEL}', '')`;

// Limits how often other processes are notified, because each notification makes every waiting worker check for work.
const NOTIFY_INTERVAL_MS = 20;

// While there is work, expired leases and other lanes are checked this often.
const LANE_SCAN_INTERVAL_MS = 200;

/** One closure: every change shares the turns of the groups, and wakes the same workers. */
export async function openPostgresQueue(deps: PostgresQueueDeps): Promise<Queue> {
  const { database, options, now, onError } = deps;
  const signal = createWakeSignal();
  const turns = await openGroupTurns(database, onError);
  let listening: ReturnType<PostgresQueueDeps["listen"]> | null = null;
  let notifyTimer: NodeJS.Timeout | null = null;
  let lastLane = "";

  /** Wakes this process at once and the others a moment later. */
  function wake(): void {
    signal.wake();
    notifyTimer ??= setTimeout(() => void notifyOthers(), NOTIFY_INTERVAL_MS);
  }

  /** Workers that miss the notification find the work at their next poll. */
  async function notifyOthers(): Promise<void> {
    notifyTimer = null;
    await database.query(NOTIFY).catch(onError);
  }

  async function change<Value, Found extends ChangeScope>(
    find: (sql: Sql, nowMs: number) => Promise<Found>,
    work: (transaction: QueueTransaction, found: Found) => Promise<Value>,
  ): Promise<Value> {
    const changed = await database.transaction(async (sql) => {
      const transaction = openQueueTransaction(sql, now());
      const found = await find(sql, transaction.nowMs);
      await lockSerialKeys(found.serialKeys, sql);
      const done = await work(transaction, found);
      const hasWork = transaction.ready.length > 0 || found.freedGroups.length > 0;
      // Without the lock, a concurrent claim could still count the job that ended, and clear the turn queued here.
      await lockGroups(found.freedGroups, sql);
      await turns.queueReady(transaction, found.freedGroups);
      return { value: done, hasWork };
    });
    if (changed.hasWork) wake();
    return changed.value;
  }

  const changeJob = <Value>(
    jobId: number,
    work: (transaction: QueueTransaction) => Promise<Value>,
  ): Promise<Value> => change((sql) => findJob(jobId, sql), work);

  const batchLeaseEnds = createRequestBatcher<LeaseEnd, unknown>(
    () => "end",
    (ends) =>
      change(
        () => Promise.resolve(scopeOf(ends.map(({ job }) => job))),
        async (transaction) => {
          const answers: unknown[] = [];
          for (const { work } of ends) answers.push(await work(transaction));
          return answers;
        },
      ),
  );

  /** Ends a lease, which may let another job of the group run. Concurrent calls share a transaction. */
  async function endLease<Value>(
    { job }: Claim,
    work: (transaction: QueueTransaction) => Promise<Value>,
  ): Promise<Value> {
    // The batcher answers each request with the result of its own work.
    return (await batchLeaseEnds({ job, work })) as Value;
  }

  /** Ends expired leases and makes due jobs ready, for all machines. */
  async function runMaintenance(): Promise<void> {
    const { hasLost, hasDue } = await readDue(now(), database);
    if (hasLost) await change(findLost, (transaction, { lost }) => endLostLeases(lost, options, transaction));
    if (hasDue)
      await change(
        () => Promise.resolve(scopeOf([])),
        (transaction) => makeDueJobsReady(transaction, SKIP_LOCKED),
      );
  }

  const laneScans = new Map<string, { readonly atMs: number; readonly lanes: readonly string[] }>();

  /** Returns the lanes that may have work, and remembers them for the next claims. */
  async function scanLanes(lanes: readonly string[] | null): Promise<readonly string[]> {
    await runMaintenance();
    const reserved = lanes?.filter(isReserved) ?? [];
    const shared = lanes?.filter((lane) => !isReserved(lane)) ?? null;
    const found = [...reserved, ...(await turns.lanesWithTurns(shared))];
    laneScans.set(JSON.stringify(lanes), { atMs: now(), lanes: found });
    return found;
  }

  async function claimAll(requests: RequestBatch<ClaimRequest>): Promise<readonly (Claim | null)[]> {
    const [{ lanes }] = requests;
    const scan = laneScans.get(JSON.stringify(lanes));
    const ageMs = scan === undefined ? Infinity : now() - scan.atMs;
    // The age is negative if the server's clock was set back.
    const isFresh = ageMs >= 0 && ageMs < LANE_SCAN_INTERVAL_MS;
    const claims = isFresh ? await claimIn(scan?.lanes ?? [], requests) : [];
    if (claims.length === 0) claims.push(...(await claimIn(await scanLanes(lanes), requests)));
    return requests.map((_, index) => claims[index] ?? null);
  }

  async function claimIn(lanes: readonly string[], requests: readonly ClaimRequest[]): Promise<Claim[]> {
    const claims: Claim[] = [];
    for (const lane of rotateLanes(lanes, lastLane)) {
      for (let mayHaveMore = true; mayHaveMore && claims.length < requests.length;) {
        const workers = requests.slice(claims.length).map(({ worker }) => worker);
        try {
          const claimed = await database.transaction((sql) =>
            claimJobs({ lane, workers, options, turns }, openQueueTransaction(sql, now())),
          );
          claims.push(...claimed.claims);
          ({ mayHaveMore } = claimed);
        } catch (error) {
          // Earlier claims of this call hold leases, so they must reach their workers.
          if (claims.length === 0) throw error;
          onError(error);
          return claims;
        }
        if (claims.length > 0) lastLane = lane;
      }
    }
    return claims;
  }

  const batchClaims = createRequestBatcher<ClaimRequest, Claim | null>(
    ({ lanes }) => JSON.stringify(lanes),
    claimAll,
  );

  async function startEnqueuing(requests: readonly JobRequest[], sql: Sql): Promise<Enqueuing> {
    // All are sent together. The server looks up jobs and assigns ids when it has the locks.
    const [, existing, newIds] = await Promise.all([
      lockSerialKeys(requests.map(lockKeyOf), sql),
      findExisting(requests, sql),
      takeJobIds(requests.length, sql),
    ]);
    const transaction = openQueueTransaction(sql, now(), newIds);
    return {
      add: (wanted) => enqueueJobs(wanted, existing, transaction),
      finish: () => turns.queueReady(transaction, []),
    };
  }

  return {
    enqueue: enqueueWith(startEnqueuing),
    startEnqueuing,
    wake,
    waitForWork(timeoutMs, abort) {
      // Only a process that waits for work needs notifications.
      listening ??= deps.listen(CHANNEL, signal.wake);
      return signal.wait(timeoutMs, abort);
    },
    async claim(request) {
      const check = signal.startCheck();
      const found = await batchClaims(request);
      if (found === null) signal.foundNothing(check);
      return found;
    },
    heartbeat: (held, step) =>
      // A transaction is retried when the server restarts. A single statement isn't.
      database.transaction((sql) => renewLease(held, { step, untilMs: now() + options.leaseMs }, sql)),
    complete: (held, completion) =>
      endLease(held, (transaction) => completeJob(held, completion, transaction)),
    retry: (held, reason) => endLease(held, (transaction) => retryJob(held, reason, options, transaction)),
    park: (held, untilMs, reason) =>
      endLease(held, (transaction) => returnToQueue(held, { untilMs, reason }, transaction)),
    release: (held) =>
      endLease(held, (transaction) =>
        returnToQueue(held, { untilMs: transaction.nowMs, reason: null }, transaction),
      ),
    crash: (held) => endLease(held, (transaction) => crashJob(held, options, transaction)),
    cancel: (jobId, reason) => changeJob(jobId, (transaction) => cancelJob(jobId, reason, transaction)),
    requeue: (jobId) => changeJob(jobId, (transaction) => requeueJob(jobId, transaction)),
    read: (jobId) => readJob(jobId, database),
    supersededBy: (jobId) => readReplaced(jobId, database),
    list: (filter) => listJobs(filter, database),
    isAnyOpen: (keys) => isAnyJobOpen(keys, database),
    listSerial: (prefix) => listSerialJobs(prefix, database),
    forget: (jobIds) => forgetJobs(jobIds, database),
    stats: () => readStats(now(), database),
    async prune(beforeMs) {
      const pruned = await pruneJobs(beforeMs, database);
      await pruneIdleTurns(database);
      // A safety net: if a bug ever loses a turn, its group waits no longer than until the next clean-up.
      await database.transaction((sql) => turns.repair(sql));
      wake();
      return pruned;
    },
    async close() {
      if (notifyTimer !== null) {
        clearTimeout(notifyTimer);
        await notifyOthers();
      }
      await listening?.stop();
      await turns.close();
    },
  };
}

type LeaseEnd = { readonly job: Job; readonly work: (transaction: QueueTransaction) => Promise<unknown> };

/** The keys that a change must lock, and the groups in which a job stops running. */
type ChangeScope = { readonly serialKeys: readonly string[]; readonly freedGroups: readonly string[] };

function scopeOf(jobs: readonly Job[]): ChangeScope {
  return { serialKeys: jobs.map(lockKeyOf), freedGroups: [...new Set(jobs.map(({ group }) => group))] };
}

async function findJob(jobId: number, sql: Sql): Promise<ChangeScope> {
  const rows = await sql.query<Pick<LostLease, "key" | "serial_key">>(
    "select key, serial_key from jobs where id = $1",
    [jobId],
  );
  return { serialKeys: rows.map(lockKeyOfRow), freedGroups: [] };
}

/** Returns ids for new jobs, in order. Those that aren't used stay unused. */
async function takeJobIds(count: number, sql: Sql): Promise<readonly number[]> {
  if (count === 0) return [];
  const rows = await sql.query<{ id: number }>(
    // Looking up the name of the sequence takes longer than an id, so it isn't done for each.
    `with sequence as materialized (select pg_get_serial_sequence('jobs', 'id')::regclass as name)
     select nextval(name) as id from sequence, generate_series(1, $1::integer)`,
    [count],
  );
  return rows.map(({ id }) => id);
}

/** Runs in one process at a time, so that the leases found here are the ones that end. */
async function findLost(
  sql: Sql,
  nowMs: number,
): Promise<ChangeScope & { readonly lost: readonly LostLease[] }> {
  // A process doesn't wait for another one's maintenance, which wakes all workers when it is done.
  const lost = (await lockMaintenance(sql)) ? await findLostLeases(nowMs, sql) : [];
  return {
    lost,
    serialKeys: lost.map(lockKeyOfRow),
    freedGroups: [...new Set(lost.map(({ job_group: group }) => group))],
  };
}

function lockKeyOfRow({ key, serial_key: serialKey }: Pick<LostLease, "key" | "serial_key">): string {
  return lockKeyOf({ key, serialKey });
}

/** Lanes take turns too: the lane after the last one with a job comes first. */
function rotateLanes(lanes: readonly string[], lastLane: string): readonly string[] {
  const sorted = lanes.toSorted();
  const after = sorted.findIndex((lane) => lane > lastLane);
  return after === -1 ? sorted : [...sorted.slice(after), ...sorted.slice(0, after)];
}
