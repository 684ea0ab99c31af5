/**
 * Claims the next jobs for several workers at once. The turns decide which groups come next. Each group's best job is then
 * read from an index, under a lock that keeps the group limit exact across all machines.
 */
import { randomUUID } from "node:crypto";
import type { Sql } from "../../store/database.ts";
import type { QueueTransaction } from "../rules/queue-transaction.ts";
import { toJob } from "../rules/job-rows.ts";
import type { Claim, QueueOptions } from "../queue.ts";
import { isReserved, type GroupTurns } from "./group-turns.ts";
import { lockGroups, lockNames } from "./locks.ts";

export type ClaimedBatch = {
  readonly claims: readonly Claim[];
  /** Whether another group may have work. False also if the only jobs left are locked by other transactions. */
  readonly mayHaveMore: boolean;
};

export type ClaimBatch = {
  readonly lane: string;
  /** Names of the workers that want a job. */
  readonly workers: readonly string[];
  readonly options: QueueOptions;
  readonly turns: GroupTurns;
};

/**
 * Locks the groups and their turns until the end of the transaction. No other transaction starts jobs of these groups, and
 * one that makes such a job ready waits and then sees whether the group still has a turn. This is a separate statement, so
 * that the next one sees the changes of the transactions it waited for.
 */
const LOCK_TURNS = `with locked as materialized (${lockNames("group", "$2")})
  select job_group from job_turns
  where lane = $1 and job_group in (select value from json_array_elements_text($2::json))
    and (select count(*) from locked) >= 0
  order by job_group for update`;

/**
 * Starts each group's best job and returns whether the group has more work. It skips jobs that another transaction is
 * changing; a later turn claims them if they still exist.
 */
const START_BEST = `with turn as (
    select turn.*, (
        select count(*) from jobs where jobs.state = 'running' and jobs.job_group = turn.job_group) as running, (
        select count(*) from (
          select from jobs where jobs.state = 'ready' and jobs.lane = $1 and jobs.job_group = turn.job_group limit 2) as first_two) as ready
    from json_to_recordset($2::json) as turn (job_group text, token text, worker text)),
  best as (
    select turn.token, turn.worker, job.id from turn cross join lateral (
      select jobs.id from jobs
      where jobs.state = 'ready' and jobs.lane = $1 and jobs.job_group = turn.job_group
      order by jobs.priority desc, jobs.id limit 1 for update skip locked) as job
    where turn.running < $3),
  started as (
    update jobs set
      state = 'running', token = best.token, worker = best.worker, started_at = $4, due_at = $5, attempts = attempts + 1,
      reason = null, step = null, stop = null, stop_reason = null
    from best where jobs.id = best.id returning jobs.*)
  select started.*, turn.job_group as turn_group, case when started.id is null
      then turn.ready > 0 and turn.running < $3
      else turn.ready > 1 and turn.running + 1 < $3 end as has_more
  from turn left join started on started.token = turn.token`;

const CLEAR_TURNS = `update job_turns set is_waiting = 0
  where lane = $1 and job_group in (select value from json_array_elements_text($2::json))`;

/** Selects a group below its limit. The limit is checked again under the group's lock. */
const NEXT_IN_RESERVED_LANE = `select job_group from jobs as next
  where state = 'ready' and lane = $1 and $2 > (
    select count(*) from jobs where jobs.state = 'running' and jobs.job_group = next.job_group)
  order by priority desc, id limit 1`;

type Started = {
  readonly id: number | null;
  readonly token: string;
  readonly turn_group: string;
  readonly has_more: number;
};

export async function claimJobs(batch: ClaimBatch, { sql, nowMs }: QueueTransaction): Promise<ClaimedBatch> {
  const { lane, workers, options, turns } = batch;
  const groups = await takeTurns(batch, sql);
  if (groups.length === 0) return { claims: [], mayHaveMore: false };
  await (isReserved(lane) ? lockGroups(groups, sql) : sql.query(LOCK_TURNS, [lane, JSON.stringify(groups)]));
  const candidates = groups.map((group, index) => ({
    job_group: group,
    token: randomUUID(),
    worker: workers[index] ?? "",
  }));
  const rows = await sql.query<Started>(START_BEST, [
    lane,
    JSON.stringify(candidates),
    options.groupLimit,
    nowMs,
    nowMs + options.leaseMs,
  ]);
  if (!isReserved(lane)) {
    const [more, done] = [rows.filter((row) => row.has_more === 1), rows.filter((row) => row.has_more === 0)];
    // `job_turns` still records these groups as waiting.
    await turns.append(lane, more.map(groupOf), sql);
    if (done.length > 0) await sql.query(CLEAR_TURNS, [lane, JSON.stringify(done.map(groupOf))]);
  }
  const claims = rows
    .filter(({ id }) => id !== null)
    .map((row) => {
      const job = toJob(row);
      return { job, token: row.token, isPoisoned: job.deaths >= options.maxCrashes };
    });
  const hasSkipped = rows.some((row) => row.id === null && row.has_more === 1);
  return { claims, mayHaveMore: claims.length > 0 || (!hasSkipped && !isReserved(lane)) };
}

function groupOf({ turn_group: group }: Started): string {
  return group;
}

/** Returns groups sorted, in the order in which every transaction locks them. Reserved lanes have one worker and no turns. */
async function takeTurns(
  { lane, workers, turns, options }: ClaimBatch,
  sql: Sql,
): Promise<readonly string[]> {
  if (!isReserved(lane)) return [...new Set(await turns.take(lane, workers.length, sql))].toSorted();
  const rows = await sql.query<{ job_group: string }>(NEXT_IN_RESERVED_LANE, [lane, options.groupLimit]);
  return rows.map(({ job_group: group }) => group);
}
