/** Ends jobs and returns them to the queue. A worker's calls count only while its token matches. */
import type { Sql } from "../../store/database.ts";
import {
  type Claim,
  type Completion,
  type LeaseState,
  type QueueOptions,
  RESERVED_LANE_PREFIX,
} from "../queue.ts";
import type { QueueTransaction } from "./queue-transaction.ts";
import { QUEUED_STATES } from "./job-rows.ts";
import { hasHead, promoteNext, type Wait, waitUntil } from "./readiness.ts";

type Held = {
  readonly attempts: number;
  readonly stop: "superseded" | "cancelled" | null;
  readonly stop_reason: string | null;
};

/** Clears `superseded_by` of a job that finished anyway: only jobs that end as superseded were replaced. */
const END_JOB = `update jobs set state = $2, reason = $3, finished_at = $4, token = null, head_key = null,
    superseded_by = case when $2 = 'superseded' then superseded_by else null end
  where id = $1`;

/** Ends a job, no matter which worker holds it, and promotes the next job of its serial key. */
export async function endJob(
  jobId: number,
  { state, reason }: Completion,
  transaction: QueueTransaction,
): Promise<void> {
  const [row] = await transaction.sql.query<{ serial_key: string | null }>(
    `${END_JOB} returning serial_key`,
    [jobId, state, reason, transaction.nowMs],
  );
  await promoteNext(row?.serial_key ?? null, transaction);
}

export async function completeJob(
  { job, token }: Claim,
  { state, reason }: Completion,
  transaction: QueueTransaction,
): Promise<boolean> {
  const [row] = await transaction.sql.query<{ serial_key: string | null }>(
    `${END_JOB} and token = $5 and state = 'running' returning serial_key`,
    [job.id, state, reason, transaction.nowMs, token],
  );
  if (row === undefined) return false;
  await promoteNext(row.serial_key, transaction);
  return true;
}

export async function renewLease(
  { job, token }: Claim,
  { step, untilMs }: { readonly step: string; readonly untilMs: number },
  sql: Sql,
): Promise<LeaseState> {
  const [row] = await sql.query<{ stop: Held["stop"] }>(
    "update jobs set due_at = $3, step = $4 where id = $1 and token = $2 and state = 'running' returning stop",
    [job.id, token, untilMs, step],
  );
  return row === undefined ? "lost" : (row.stop ?? "held");
}

export async function retryJob(
  claim: Claim,
  reason: string,
  options: QueueOptions,
  transaction: QueueTransaction,
): Promise<"queued" | "failed" | "stopped" | "lost"> {
  const held = await readHeld(claim, transaction.sql);
  if (held === null) return "lost";
  if (await endStopped(claim, held, transaction)) return "stopped";
  if (held.attempts >= options.maxAttempts) {
    await endJob(claim.job.id, { state: "failed", reason }, transaction);
    return "failed";
  }
  const backoffMs = Math.min(options.maxBackoffMs, options.backoffMs * 2 ** (held.attempts - 1));
  await waitUntil(claim.job.id, { untilMs: transaction.nowMs + backoffMs, reason }, transaction);
  return "queued";
}

/** Queues a claimed job again without counting the attempt. False if the lease was lost. */
export async function returnToQueue(
  claim: Claim,
  wait: Wait,
  transaction: QueueTransaction,
): Promise<boolean> {
  const held = await readHeld(claim, transaction.sql);
  if (held === null) return false;
  if (await endStopped(claim, held, transaction)) return true;
  await transaction.sql.query("update jobs set attempts = attempts - 1 where id = $1", [claim.job.id]);
  await waitUntil(claim.job.id, wait, transaction);
  return true;
}

export async function cancelJob(
  jobId: number,
  reason: string,
  transaction: QueueTransaction,
): Promise<boolean> {
  const { sql, nowMs } = transaction;
  // A worker may have claimed the job a moment ago. Then it is running, and the update below asks its worker to stop.
  const [ended] = await sql.query<{ serial_key: string | null }>(
    `${END_JOB} and state in (${QUEUED_STATES.map((state) => `'${state}'`).join(", ")}) returning serial_key`,
    [jobId, "cancelled", reason, nowMs],
  );
  if (ended !== undefined) {
    await promoteNext(ended.serial_key, transaction);
    return true;
  }
  const stopped = await sql.query(
    "update jobs set stop = 'cancelled', stop_reason = $2 where id = $1 and state = 'running' returning id",
    [jobId, reason],
  );
  return stopped.length > 0;
}

/** Starts the job from scratch, for every worker: earlier attempts and crashes no longer count. */
export async function requeueJob(jobId: number, transaction: QueueTransaction): Promise<boolean> {
  const { sql, nowMs } = transaction;
  const [ended] = await sql.query<{ lane: string; job_group: string; serial_key: string | null }>(
    "select lane, job_group, serial_key from jobs where id = $1 and state in ('failed', 'cancelled', 'skipped')",
    [jobId],
  );
  if (ended === undefined) return false;
  const { job_group: group, serial_key: serialKey } = ended;
  // The worker that the lane was reserved for has stopped waiting.
  const lane = ended.lane.startsWith(RESERVED_LANE_PREFIX)
    ? ended.lane.slice(RESERVED_LANE_PREFIX.length)
    : ended.lane;
  const isBlocked = serialKey !== null && (await hasHead(serialKey, sql));
  const requeued = await sql.query(
    `update jobs set state = $2, due_at = $3, run_at = $3, head_key = $4, finished_at = null, attempts = 0, deaths = 0,
       crashed_worker = null, reason = 'requeued', step = null, worker = null, stop = null, stop_reason = null, lane = $5
     where id = $1 returning id`,
    [jobId, isBlocked ? "blocked" : "ready", nowMs, isBlocked ? null : serialKey, lane],
  );
  // The job was pruned between the two statements.
  if (requeued.length === 0) return false;
  if (!isBlocked) transaction.ready.push({ lane, group });
  return true;
}

async function readHeld({ job, token }: Claim, sql: Sql): Promise<Held | null> {
  const [row] = await sql.query<Held>(
    "select attempts, stop, stop_reason from jobs where id = $1 and token = $2 and state = 'running'",
    [job.id, token],
  );
  return row ?? null;
}

/** Ends a job that was superseded or cancelled while it ran, instead of queueing it again. */
async function endStopped(claim: Claim, held: Held, transaction: QueueTransaction): Promise<boolean> {
  if (held.stop === null) return false;
  await endJob(claim.job.id, { state: held.stop, reason: held.stop_reason ?? held.stop }, transaction);
  return true;
}
