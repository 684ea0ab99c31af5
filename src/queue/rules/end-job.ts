/** The ways a job leaves a worker or ends. What a worker says counts only while its token fits. */
import type { Sql } from "../../store/database.ts";
import {
  type Claim,
  type Completion,
  type JobState,
  type LeaseState,
  type QueueOptions,
  RESERVED_LANE_PREFIX,
} from "../queue.ts";
import type { QueueTransaction } from "./queue-transaction.ts";
import { QUEUED_STATES } from "./job-rows.ts";
import { advance, hasHead, type Wait, waitUntil } from "./readiness.ts";

type Held = {
  readonly attempts: number;
  readonly stop: "superseded" | "cancelled" | null;
  readonly stop_reason: string | null;
};

export type End = {
  readonly state: Exclude<JobState, "queued" | "running">;
  readonly reason: string;
};

/** Only a job that ends as superseded has been replaced; one that was finished in spite of it has not. */
const END = `update jobs set state = $2, reason = $3, finished_at = $4, token = null, head_key = null,
    superseded_by = case when $2 = 'superseded' then superseded_by else null end
  where id = $1`;

/** Ends a job whoever holds it, and lets the next one of its serial key come forward. */
export async function endJob(
  jobId: number,
  { state, reason }: End,
  transaction: QueueTransaction,
): Promise<void> {
  const [row] = await transaction.sql.query<{ serial_key: string | null }>(`${END} returning serial_key`, [
    jobId,
    state,
    reason,
    transaction.nowMs,
  ]);
  await advance(row?.serial_key ?? null, transaction);
}

export async function completeJob(
  { job, token }: Claim,
  { state, reason }: Completion,
  transaction: QueueTransaction,
): Promise<boolean> {
  const [row] = await transaction.sql.query<{ serial_key: string | null }>(
    `${END} and token = $5 and state = 'running' returning serial_key`,
    [job.id, state, reason, transaction.nowMs, token],
  );
  if (row === undefined) return false;
  await advance(row.serial_key, transaction);
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
  const pauseMs = Math.min(options.maxBackoffMs, options.backoffMs * 2 ** (held.attempts - 1));
  await waitUntil(claim.job.id, { untilMs: transaction.nowMs + pauseMs, reason }, transaction);
  return "queued";
}

/** Puts it back without counting the attempt. False when the lease was lost. */
export async function putBack(claim: Claim, wait: Wait, transaction: QueueTransaction): Promise<boolean> {
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
  // A claim may come first even now: then it is running, and its worker is told.
  const [ended] = await sql.query<{ serial_key: string | null }>(
    `${END} and state in (${QUEUED_STATES.map((state) => `'${state}'`).join(", ")}) returning serial_key`,
    [jobId, "cancelled", reason, nowMs],
  );
  if (ended !== undefined) {
    await advance(ended.serial_key, transaction);
    return true;
  }
  const told = await sql.query(
    "update jobs set stop = 'cancelled', stop_reason = $2 where id = $1 and state = 'running' returning id",
    [jobId, reason],
  );
  return told.length > 0;
}

/** Starts afresh, for every worker: earlier attempts and crashes no longer count. */
export async function requeueJob(jobId: number, transaction: QueueTransaction): Promise<boolean> {
  const { sql, nowMs } = transaction;
  const [ended] = await sql.query<{ lane: string; job_group: string; serial_key: string | null }>(
    "select lane, job_group, serial_key from jobs where id = $1 and state in ('failed', 'cancelled', 'skipped')",
    [jobId],
  );
  if (ended === undefined) return false;
  const { job_group: group, serial_key: serialKey } = ended;
  // Whoever was waiting for it in a lane of their own has gone.
  const lane = ended.lane.startsWith(RESERVED_LANE_PREFIX)
    ? ended.lane.slice(RESERVED_LANE_PREFIX.length)
    : ended.lane;
  const isBehind = serialKey !== null && (await hasHead(serialKey, sql));
  const requeued = await sql.query(
    `update jobs set state = $2, due_at = $3, run_at = $3, head_key = $4, finished_at = null, attempts = 0, deaths = 0,
       crashed_worker = null, reason = 'requeued', step = null, worker = null, stop = null, stop_reason = null, lane = $5
     where id = $1 returning id`,
    [jobId, isBehind ? "blocked" : "ready", nowMs, isBehind ? null : serialKey, lane],
  );
  // Forgotten just now, being too old.
  if (requeued.length === 0) return false;
  if (!isBehind) transaction.ready.push({ lane, group });
  return true;
}

async function readHeld({ job, token }: Claim, sql: Sql): Promise<Held | null> {
  const [row] = await sql.query<Held>(
    "select attempts, stop, stop_reason from jobs where id = $1 and token = $2 and state = 'running'",
    [job.id, token],
  );
  return row ?? null;
}

/** A job that nobody wants any more is not queued again. */
async function endStopped(claim: Claim, held: Held, transaction: QueueTransaction): Promise<boolean> {
  if (held.stop === null) return false;
  await endJob(claim.job.id, { state: held.stop, reason: held.stop_reason ?? held.stop }, transaction);
  return true;
}
