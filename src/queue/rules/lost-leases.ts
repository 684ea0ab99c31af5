/**
 * Handles crashes: a worker stopped renewing its leases, or a job's separate process exited. The job is queued again as a
 * suspect, or ends when too many crashes are charged to it. queue.ts describes when a crash is charged.
 */
import type { Sql } from "../../store/database.ts";
import type { Claim, QueueOptions } from "../queue.ts";
import type { QueueTransaction } from "./queue-transaction.ts";
import { endJob } from "./end-job.ts";
import { type Wait, waitUntil } from "./readiness.ts";

// Limits the lost leases that one claim handles; later claims handle the rest. More jobs than this are rarely lost at once.
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
 * Charges a crash if the worker had no other job. Leases of one worker expire one after the other, so its other jobs are
 * either still `running` or carry its name in `crashed_worker`. $2 is the attempt limit: once it is reached, the crash is
 * charged even if the worker had other jobs.
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

/** Ends exactly the leases in `found`, because the engine has locked the keys of those jobs and no others. */
export async function endLostLeases(
  found: readonly LostLease[],
  { maxCrashes, maxAttempts }: QueueOptions,
  transaction: QueueTransaction,
): Promise<void> {
  for (const { id } of found) {
    const [lost] = await transaction.sql.query<Lost>(
      `update jobs set deaths = deaths + ${CHARGE_IF_ALONE}, crashed_worker = worker
       where id = $1 and state = 'running' and due_at <= $3 returning deaths, stop, stop_reason`,
      [id, maxAttempts, transaction.nowMs],
    );
    // The worker renewed its lease in the meantime.
    if (lost === undefined) continue;
    await requeueOrEnd(
      id,
      { ...lost, maxCrashes, untilMs: transaction.nowMs, reason: "waiting:lease-lost" },
      transaction,
    );
  }
}

/** False if the lease was lost; the crash was already counted then. */
export async function crashJob(
  { job, token }: Claim,
  { maxCrashes, leaseMs }: QueueOptions,
  transaction: QueueTransaction,
): Promise<boolean> {
  const [lost] = await transaction.sql.query<Lost>(
    `update jobs set deaths = deaths + 1
     where id = $1 and token = $2 and state = 'running' returning deaths, stop, stop_reason`,
    [job.id, token],
  );
  if (lost === undefined) return false;
  // Waits as if the lease had to expire first, because a short-lived shortage, such as of memory, may be over by then.
  const untilMs = transaction.nowMs + leaseMs;
  await requeueOrEnd(job.id, { ...lost, maxCrashes, untilMs, reason: "waiting:crashed" }, transaction);
  return true;
}

type Crashed = Lost & Wait & { readonly maxCrashes: number };

async function requeueOrEnd(
  id: number,
  { deaths, stop, stop_reason: stopReason, maxCrashes, ...wait }: Crashed,
  transaction: QueueTransaction,
): Promise<void> {
  if (stop !== null) await endJob(id, { state: stop, reason: stopReason ?? stop }, transaction);
  // The claim after the last crash only published a notice. If that crashed too, the queue ends the job itself.
  else if (deaths > maxCrashes) await endJob(id, { state: "failed", reason: "failed:poison" }, transaction);
  else await waitUntil(id, wait, transaction);
}

/** When the last lease expires, in milliseconds since 1970. Null if no job is running. */
export async function readLastLease(sql: Sql): Promise<number | null> {
  const [row] = await sql.query<{ until: number | null }>(
    "select max(due_at) as until from jobs where state = 'running'",
  );
  return row?.until ?? null;
}
