/**
 * The Queue port over PostgreSQL, for any number of processes on any number of machines. pg-boss keeps the line in which
 * groups wait for their turn; what it lacks is beside it in SQL: one job per serial key in the order of their coming,
 * superseding, the exact limit of a group, leases with tokens, and a record of every job and its reason.
 */
import type { Database, Sql } from "../../store/database.ts";
import { type QueueTransaction, openQueueTransaction } from "../rules/queue-transaction.ts";
import { cancelJob, completeJob, putBack, renewLease, requeueJob, retryJob } from "../rules/end-job.ts";
import { enqueueJobs } from "../rules/enqueue-jobs.ts";
import { crashJob, endLostLeases, findLostLeases, type LostLease } from "../rules/lost-leases.ts";
import {
  forgetJobs,
  listJobs,
  listSerialJobs,
  pruneJobs,
  readJob,
  readReplaced,
  readStats,
} from "../rules/read-jobs.ts";
import { admitDue, readDue } from "../rules/readiness.ts";
import { claimJobs } from "./claim-jobs.ts";
import { forgetIdleGroups } from "./forget-idle-groups.ts";
import { createGathering, type Gathered } from "./gather.ts";
import { isReserved, openGroupTurns } from "./group-turns.ts";
import { lockGroups, lockSerialKeys, lockUpkeep, PASS_OVER, serialKeyOf } from "./locks.ts";
import { createWakeSignal } from "../wake-signal.ts";
import type { Claim, ClaimRequest, Job, Queue, QueueOptions } from "../queue.ts";

export type PostgresQueueDeps = {
  readonly database: Database;
  readonly options: QueueOptions;
  /** The same for all processes, whatever the clocks of their machines say. */
  readonly now: () => number;
  /** Hears other processes say that there is work. */
  readonly listen: (channel: string, onNotification: () => void) => { stop(): Promise<void> };
  /** Something failed that is tried again by itself. */
  readonly onError: (error: unknown) => void;
};

const CHANNEL = "kodiai_work";

// Everybody who waits looks once; saying it more often would only make them look more often.
const SAY_EVERY_MS = 20;

// While there is work, leases that are over and other lanes wait for so long at most.
const LOOK_AROUND_MS = 200;

export async function openPostgresQueue(deps: PostgresQueueDeps): Promise<Queue> {
  const { database, options, now, onError } = deps;
  const signal = createWakeSignal();
  const line = await openGroupTurns(database, onError);
  let listening: ReturnType<PostgresQueueDeps["listen"]> | null = null;
  let saying: NodeJS.Timeout | null = null;
  let lastLane = "";

  /** To this process at once, to the others in a moment. */
  function wake(): void {
    signal.wake();
    saying ??= setTimeout(() => void say(), SAY_EVERY_MS);
  }

  /** Whoever does not hear it looks for work by itself soon enough. */
  async function say(): Promise<void> {
    saying = null;
    await database.query(`select pg_notify('${CHANNEL}', '')`).catch(onError);
  }

  async function change<Value, Found extends Affected>(
    find: (sql: Sql, nowMs: number) => Promise<Found>,
    work: (transaction: QueueTransaction, found: Found) => Promise<Value>,
  ): Promise<Value> {
    const changed = await database.transaction(async (sql) => {
      const transaction = openQueueTransaction(sql, now());
      const found = await find(sql, transaction.nowMs);
      await lockSerialKeys(found.serialKeys, sql);
      const done = await work(transaction, found);
      const hasWork = transaction.ready.length > 0 || found.leftGroups.length > 0;
      // A claim that still counts what has left would send its group away after we have looked who can run something.
      await lockGroups(found.leftGroups, sql);
      await line.queue(transaction, found.leftGroups);
      return { value: done, hasWork };
    });
    if (changed.hasWork) wake();
    return changed.value;
  }

  const changeJob = <Value>(
    jobId: number,
    work: (transaction: QueueTransaction) => Promise<Value>,
  ): Promise<Value> => change((sql) => findJob(jobId, sql), work);

  const gatherLeaves = createGathering<Leaving, unknown>(
    () => "leave",
    (leaving) =>
      change(
        () => Promise.resolve(affectedBy(leaving.map(({ job }) => job))),
        async (transaction) => {
          const answers: unknown[] = [];
          for (const { work } of leaving) answers.push(await work(transaction));
          return answers;
        },
      ),
  );

  /** A job that leaves its worker may make room for another of its group. Those of one moment share a transaction. */
  async function leave<Value>(
    { job }: Claim,
    work: (transaction: QueueTransaction) => Promise<Value>,
  ): Promise<Value> {
    // Each is answered with what its own work gave.
    return (await gatherLeaves({ job, work })) as Value;
  }

  /** Leases that are over and delays that have passed, over all machines. */
  async function bringUpToDate(): Promise<void> {
    const { hasLost, hasDue } = await readDue(now(), database);
    if (hasLost) await change(findLost, (transaction, { lost }) => endLostLeases(lost, options, transaction));
    if (hasDue)
      await change(
        () => Promise.resolve(affectedBy([])),
        (transaction) => admitDue(transaction, PASS_OVER),
      );
  }

  const lookingAround = new Map<string, { readonly atMs: number; readonly lanes: readonly string[] }>();

  /** Where there is something to claim. While there is, it is not asked each time. */
  async function lookAround(lanes: readonly string[] | null): Promise<readonly string[]> {
    await bringUpToDate();
    const reserved = lanes?.filter(isReserved) ?? [];
    const shared = lanes?.filter((lane) => !isReserved(lane)) ?? null;
    const found = [...reserved, ...(await line.occupied(shared))];
    lookingAround.set(JSON.stringify(lanes), { atMs: now(), lanes: found });
    return found;
  }

  async function claimAll(requests: Gathered<ClaimRequest>): Promise<readonly (Claim | null)[]> {
    const [{ lanes }] = requests;
    const seen = lookingAround.get(JSON.stringify(lanes));
    const ageMs = seen === undefined ? Infinity : now() - seen.atMs;
    // Less than nothing when the server's clock was set back.
    const isFresh = ageMs >= 0 && ageMs < LOOK_AROUND_MS;
    const claims = isFresh ? await claimIn(seen?.lanes ?? [], requests) : [];
    if (claims.length === 0) claims.push(...(await claimIn(await lookAround(lanes), requests)));
    return requests.map((_, index) => claims[index] ?? null);
  }

  async function claimIn(lanes: readonly string[], requests: readonly ClaimRequest[]): Promise<Claim[]> {
    const claims: Claim[] = [];
    for (const lane of inTurn(lanes, lastLane)) {
      for (let isWorthAnother = true; isWorthAnother && claims.length < requests.length;) {
        const workers = requests.slice(claims.length).map(({ worker }) => worker);
        try {
          const claimed = await database.transaction((sql) =>
            claimJobs({ lane, workers, options, line }, openQueueTransaction(sql, now())),
          );
          claims.push(...claimed.claims);
          ({ isWorthAnother } = claimed);
        } catch (error) {
          // What was claimed before is held, and must be worked on.
          if (claims.length === 0) throw error;
          onError(error);
          return claims;
        }
        if (claims.length > 0) lastLane = lane;
      }
    }
    return claims;
  }

  const gatherClaims = createGathering<ClaimRequest, Claim | null>(
    ({ lanes }) => JSON.stringify(lanes),
    claimAll,
  );

  return {
    async enqueue(requests, sql) {
      await lockSerialKeys(requests.map(serialKeyOf), sql);
      const transaction = openQueueTransaction(sql, now());
      const enqueued = await enqueueJobs(requests, transaction);
      await line.queue(transaction, []);
      return enqueued;
    },
    wake,
    waitForWork(timeoutMs, abort) {
      // Only those who wait need to hear.
      listening ??= deps.listen(CHANNEL, signal.wake);
      return signal.wait(timeoutMs, abort);
    },
    async claim(request) {
      const look = signal.look();
      const found = await gatherClaims(request);
      if (found === null) signal.foundNothing(look);
      return found;
    },
    heartbeat: (held, step) =>
      // A transaction is run again when the server restarts; a statement alone is not.
      database.transaction((sql) => renewLease(held, { step, untilMs: now() + options.leaseMs }, sql)),
    complete: (held, completion) => leave(held, (transaction) => completeJob(held, completion, transaction)),
    retry: (held, reason) => leave(held, (transaction) => retryJob(held, reason, options, transaction)),
    park: (held, untilMs, reason) =>
      leave(held, (transaction) => putBack(held, { untilMs, reason }, transaction)),
    release: (held) =>
      leave(held, (transaction) => putBack(held, { untilMs: transaction.nowMs, reason: null }, transaction)),
    crash: (held) => leave(held, (transaction) => crashJob(held, options, transaction)),
    cancel: (jobId, reason) => changeJob(jobId, (transaction) => cancelJob(jobId, reason, transaction)),
    requeue: (jobId) => changeJob(jobId, (transaction) => requeueJob(jobId, transaction)),
    read: (jobId) => readJob(jobId, database),
    supersededBy: (jobId) => readReplaced(jobId, database),
    list: (filter) => listJobs(filter, database),
    listSerial: (prefix) => listSerialJobs(prefix, database),
    forget: (jobIds) => forgetJobs(jobIds, database),
    stats: () => readStats(now(), database),
    async prune(beforeMs) {
      const pruned = await pruneJobs(beforeMs, database);
      await forgetIdleGroups(database);
      // Nothing should ever need it; whoever was left out by a defect waits for the next clean-up at most.
      await database.transaction((sql) => line.repair(sql));
      wake();
      return pruned;
    },
    async close() {
      if (saying !== null) {
        clearTimeout(saying);
        await say();
      }
      await listening?.stop();
      await line.close();
    },
  };
}

type Leaving = { readonly job: Job; readonly work: (transaction: QueueTransaction) => Promise<unknown> };

/** What a change has to lock, and the groups of which a job stops running. */
type Affected = { readonly serialKeys: readonly string[]; readonly leftGroups: readonly string[] };

function affectedBy(jobs: readonly Job[]): Affected {
  return { serialKeys: jobs.map(serialKeyOf), leftGroups: [...new Set(jobs.map(({ group }) => group))] };
}

async function findJob(jobId: number, sql: Sql): Promise<Affected> {
  const rows = await sql.query<Pick<LostLease, "key" | "serial_key">>(
    "select key, serial_key from jobs where id = $1",
    [jobId],
  );
  return { serialKeys: rows.map(lockNameOf), leftGroups: [] };
}

/** One process at a time, so that what is found here is what is ended then. */
async function findLost(
  sql: Sql,
  nowMs: number,
): Promise<Affected & { readonly lost: readonly LostLease[] }> {
  // Nobody waits for another's upkeep: whoever does it wakes the others.
  const lost = (await lockUpkeep(sql)) ? await findLostLeases(nowMs, sql) : [];
  return {
    lost,
    serialKeys: lost.map(lockNameOf),
    leftGroups: [...new Set(lost.map(({ job_group: group }) => group))],
  };
}

function lockNameOf({ key, serial_key: serialKey }: Pick<LostLease, "key" | "serial_key">): string {
  return serialKeyOf({ key, serialKey });
}

/** Lanes take turns too: the one after the last that had something comes first. */
function inTurn(lanes: readonly string[], lastLane: string): readonly string[] {
  const sorted = lanes.toSorted();
  const after = sorted.findIndex((lane) => lane > lastLane);
  return after === -1 ? sorted : [...sorted.slice(after), ...sorted.slice(0, after)];
}
