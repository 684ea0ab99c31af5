/**
 * Crashes: a worker that stopped renewing its leases, or a job's own process that ended. The job is queued again as a
 * suspect, or ends when too many crashes are charged to it. See queue.ts for who is charged.
 */
import type { Sql } from "../../store/database.ts";
import type { Claim, QueueOptions } from "../queue.ts";
import type { QueueTransaction } from "./queue-transaction.ts";
import { endJob } from "./end-job.ts";
import { type Wait, waitUntil } from "./readiness.ts";

// A claim ends at most so many lost leases; the next claims go on. More than this many workers rarely crash at once.
const MAX_LEASES_PER_CLAIM = 20;

export type LostLease = {
  readonly id: number;
  readonly key: string;
  readonly serial_key: string | null;
  readonly job_group: string;
};

type Lost = {
  readonly deaths: number;
  readonly stop: "superseded" | "cancelled" | null;
  readonly stop_reason: string | null;
};

/**
 * Leases of one worker expire one after the other: its other jobs are still `running`, or were found before this one and
 * bear its name. $2 is the most attempts of a job: with those used up a crash is charged whoever else was there.
 */
const CHARGE_IF_ALONE = `case when attempts < $2 and (
    exists (select 1 from jobs as other
      where other.crashed_worker = jobs.worker and other.id <> jobs.id)
    or exists (select 1 from jobs as other
      where other.state = 'running' and other.worker = jobs.worker and other.id <> jobs.id))
  then 0 else 1 end`;

export async function findLostLeases(nowMs: number, sql: Sql): Promise<readonly LostLease[]> {
  return sql.query<LostLease>(
    `select id, key, serial_key, job_group from jobs where state = 'running' and due_at <= $1
     order by job_group, due_at limit ${MAX_LEASES_PER_CLAIM}`,
    [nowMs],
  );
}

/** Of those that were found, and of no others: an engine has locked what belongs to them. */
export async function endLostLeases(
  found: readonly LostLease[],
  { maxDeaths, maxAttempts }: QueueOptions,
  transaction: QueueTransaction,
): Promise<void> {
  for (const { id } of found) {
    const [lost] = await transaction.sql.query<Lost>(
      `update jobs set deaths = deaths + ${CHARGE_IF_ALONE}, crashed_worker = worker
       where id = $1 and state = 'running' and due_at <= $3 returning deaths, stop, stop_reason`,
      [id, maxAttempts, transaction.nowMs],
    );
    // The worker has come back in the meantime.
    if (lost === undefined) continue;
    await leaveCrashed(
      id,
      { ...lost, maxDeaths, untilMs: transaction.nowMs, reason: "waiting:lease-lost" },
      transaction,
    );
  }
}

/** False when the lease was lost, and the crash has been counted with it. */
export async function crashJob(
  { job, token }: Claim,
  { maxDeaths, leaseMs }: QueueOptions,
  transaction: QueueTransaction,
): Promise<boolean> {
  const [lost] = await transaction.sql.query<Lost>(
    `update jobs set deaths = deaths + 1
     where id = $1 and token = $2 and state = 'running' returning deaths, stop, stop_reason`,
    [job.id, token],
  );
  if (lost === undefined) return false;
  // As if its lease had to run out first: what was short at this moment, such as memory, may be there again.
  const untilMs = transaction.nowMs + leaseMs;
  await leaveCrashed(job.id, { ...lost, maxDeaths, untilMs, reason: "waiting:crashed" }, transaction);
  return true;
}

type Crashed = Lost & Wait & { readonly maxDeaths: number };

async function leaveCrashed(
  id: number,
  { deaths, stop, stop_reason: stopReason, maxDeaths, ...wait }: Crashed,
  transaction: QueueTransaction,
): Promise<void> {
  if (stop !== null) await endJob(id, { state: stop, reason: stopReason ?? stop }, transaction);
  // The claim after the last crash was only to notify people; if even that crashes, the queue ends the job itself.
  else if (deaths > maxDeaths) await endJob(id, { state: "failed", reason: "failed:poison" }, transaction);
  else await waitUntil(id, wait, transaction);
}

/** Until when a worker may still be at work, in milliseconds since 1970; null when no job is running. */
export async function readLastLease(sql: Sql): Promise<number | null> {
  const [row] = await sql.query<{ until: number | null }>(
    "select max(due_at) as until from jobs where state = 'running'",
  );
  return row?.until ?? null;
}
