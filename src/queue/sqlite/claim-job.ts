/**
 * Claims the next job for a worker: first it handles everything that is due, then it picks the group that has waited
 * longest for its turn, then that group's best job. Each step reads the first entry of an index, so the cost of a claim
 * doesn't grow with the backlog.
 */
import { randomUUID } from "node:crypto";
import type { Sql } from "../../store/database.ts";
import type { QueueTransaction } from "../rules/queue-transaction.ts";
import { toJob } from "../rules/job-rows.ts";
import { endLostLeases, findLostLeases } from "../rules/lost-leases.ts";
import { makeDueJobsReady, readDue } from "../rules/readiness.ts";
import type { Claim, ClaimRequest, QueueOptions } from "../queue.ts";
import { queueGroupTurns } from "./group-turns.ts";

type Candidate = {
  readonly lane: string;
  readonly job_group: string;
  readonly is_shared: number;
  readonly turn: number;
  readonly id: number | null;
};

/** Selects the next turn among groups below their limit, with the best job of that group. */
const selectNextTurn = (
  condition: string,
): string => `select next.lane, next.job_group, next.is_shared, next.turn, (
    select id from jobs
    where state = 'ready' and lane = next.lane and job_group = next.job_group
    order by priority desc, id limit 1) as id
  from job_turns as next
  where next.is_waiting = 1 and ${condition}
    and (select count(*) from jobs where state = 'running' and job_group = next.job_group) < $1
  order by next.turn limit 1`;

const NEXT_IN_SHARED_LANES = selectNextTurn("next.is_shared = 1");
const NEXT_IN_LANE = selectNextTurn("next.lane = $2");

const START_JOB = `update jobs set
    state = 'running', token = $2, worker = $3, started_at = $4, due_at = $5, attempts = attempts + 1,
    reason = null, step = null, stop = null, stop_reason = null
  where id = $1 returning *`;

const END_TURN = `update job_turns set
    turn = 1 + (select max(turn) from job_turns where is_waiting = 1 and is_shared = $3)
  where lane = $1 and job_group = $2`;

/** Whether a claim would find work. Reads only. */
export async function mayClaim(
  request: ClaimRequest,
  { groupLimit }: QueueOptions,
  nowMs: number,
  sql: Sql,
): Promise<boolean> {
  const { hasLost, hasDue } = await readDue(nowMs, sql);
  return hasLost || hasDue || (await findNext(request, groupLimit, sql)) !== null;
}

export async function claimJob(
  request: ClaimRequest,
  options: QueueOptions,
  transaction: QueueTransaction,
): Promise<Claim | null> {
  const { sql } = transaction;
  const { hasLost, hasDue } = await readDue(transaction.nowMs, sql);
  if (hasLost) await endLostLeases(await findLostLeases(transaction.nowMs, sql), options, transaction);
  if (hasDue) await makeDueJobsReady(transaction);
  await queueGroupTurns(transaction);
  for (;;) {
    const next = await findNext(request, options.groupLimit, sql);
    if (next === null) return null;
    if (next.id !== null) return start({ ...next, id: next.id }, request, options, transaction);
    // The group's last ready job has been claimed, cancelled or superseded since its turn was queued.
    await sql.query("update job_turns set is_waiting = 0 where lane = $1 and job_group = $2", [
      next.lane,
      next.job_group,
    ]);
  }
}

async function findNext({ lanes }: ClaimRequest, groupLimit: number, sql: Sql): Promise<Candidate | null> {
  if (lanes === null) return (await sql.query<Candidate>(NEXT_IN_SHARED_LANES, [groupLimit]))[0] ?? null;
  let next: Candidate | null = null;
  for (const lane of lanes) {
    const [candidate] = await sql.query<Candidate>(NEXT_IN_LANE, [groupLimit, lane]);
    if (candidate !== undefined && (next === null || candidate.turn < next.turn)) next = candidate;
  }
  return next;
}

async function start(
  candidate: Candidate & { readonly id: number },
  request: ClaimRequest,
  options: QueueOptions,
  { sql, nowMs }: QueueTransaction,
): Promise<Claim> {
  const token = randomUUID();
  const [row] = await sql.query(START_JOB, [
    candidate.id,
    token,
    request.worker,
    nowMs,
    nowMs + options.leaseMs,
  ]);
  if (row === undefined) throw new Error("A job disappeared while it was being claimed.");
  await sql.query(END_TURN, [candidate.lane, candidate.job_group, candidate.is_shared]);
  const job = toJob(row);
  return { job, token, isPoisoned: job.deaths >= options.maxCrashes };
}
