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
import { advance, hasHead, standInLine, waitUntil } from "./readiness.ts";

type Held = {
  readonly attempts: number;
  readonly stop: "superseded" | "cancelled" | null;
  readonly stop_reason: string | null;
};

export type End = {
  readonly state: Exclude<JobState, "queued" | "running">;
  readonly reason: string;
  readonly nowMs: number;
};

/** Ends a job whoever holds it, and lets the next one of its serial key come forward. */
export async function endJob(jobId: number, { state, reason, nowMs }: End, sql: Sql): Promise<void> {
  // Only a job that ends as superseded has been replaced; one that was finished in spite of it has not.
  const [row] = await sql.query<{ serial_key: string | null }>(
    `update jobs set state = $2, reason = $3, finished_at = $4, token = null, head_key = null,
       superseded_by = case when $2 = 'superseded' then superseded_by else null end
     where id = $1 returning serial_key`,
    [jobId, state, reason, nowMs],
  );
  await advance(row?.serial_key ?? null, nowMs, sql);
}

export async function completeJob(
  claim: Claim,
  completion: Completion & { readonly nowMs: number },
  sql: Sql,
): Promise<boolean> {
  if ((await readHeld(claim, sql)) === null) return false;
  await endJob(claim.job.id, completion, sql);
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
  {
    options,
    nowMs,
    reason,
  }: { readonly options: QueueOptions; readonly nowMs: number; readonly reason: string },
  sql: Sql,
): Promise<"queued" | "failed" | "stopped" | "lost"> {
  const held = await readHeld(claim, sql);
  if (held === null) return "lost";
  if (await endStopped(claim, held, nowMs, sql)) return "stopped";
  if (held.attempts >= options.maxAttempts) {
    await endJob(claim.job.id, { state: "failed", reason, nowMs }, sql);
    return "failed";
  }
  const pauseMs = Math.min(options.maxBackoffMs, options.backoffMs * 2 ** (held.attempts - 1));
  await waitUntil(claim.job.id, { untilMs: nowMs + pauseMs, nowMs, reason }, sql);
  return "queued";
}

/** Puts it back without counting the attempt. False when the lease was lost. */
export async function putBack(
  claim: Claim,
  wait: { readonly untilMs: number; readonly nowMs: number; readonly reason: string | null },
  sql: Sql,
): Promise<boolean> {
  const held = await readHeld(claim, sql);
  if (held === null) return false;
  if (await endStopped(claim, held, wait.nowMs, sql)) return true;
  await sql.query("update jobs set attempts = attempts - 1 where id = $1", [claim.job.id]);
  await waitUntil(claim.job.id, wait, sql);
  return true;
}

export async function cancelJob(
  jobId: number,
  { reason, nowMs }: { readonly reason: string; readonly nowMs: number },
  sql: Sql,
): Promise<boolean> {
  const [open] = await sql.query<{ state: string }>(
    "select state from jobs where id = $1 and finished_at is null",
    [jobId],
  );
  if (open === undefined) return false;
  if (open.state === "running") {
    await sql.query("update jobs set stop = 'cancelled', stop_reason = $2 where id = $1", [jobId, reason]);
  } else {
    await endJob(jobId, { state: "cancelled", reason, nowMs }, sql);
  }
  return true;
}

/** Starts afresh, for every worker: earlier attempts and deaths no longer count. */
export async function requeueJob(jobId: number, nowMs: number, sql: Sql): Promise<boolean> {
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
  await sql.query(
    `update jobs set state = $2, due_at = $3, run_at = $3, head_key = $4, finished_at = null, attempts = 0, deaths = 0,
       reason = 'requeued', step = null, worker = null, stop = null, stop_reason = null, lane = $5
     where id = $1`,
    [jobId, isBehind ? "blocked" : "ready", nowMs, isBehind ? null : serialKey, lane],
  );
  if (!isBehind) await standInLine(lane, group, sql);
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
async function endStopped(claim: Claim, held: Held, nowMs: number, sql: Sql): Promise<boolean> {
  if (held.stop === null) return false;
  await endJob(claim.job.id, { state: held.stop, reason: held.stop_reason ?? held.stop, nowMs }, sql);
  return true;
}
