/**
 * Gives workers their next jobs, several at a time. A turn from the line says whose turn it is; the group's best job is
 * chosen from an index, under a lock that keeps the limit of the group exact over all machines.
 */
import { randomUUID } from "node:crypto";
import type { Sql } from "../../store/database.ts";
import type { QueueTransaction } from "../rules/queue-transaction.ts";
import { toJob } from "../rules/job-rows.ts";
import type { Claim, QueueOptions } from "../queue.ts";
import { isReserved, type GroupTurns } from "./group-turns.ts";
import { lockGroups, lockNames } from "./locks.ts";

export type Claimed = {
  readonly claims: readonly Claim[];
  /** Whether somebody else may be next in line; false also when only jobs are left that others are just changing. */
  readonly isWorthAnother: boolean;
};

export type ClaimWish = {
  readonly lane: string;
  /** Names of the workers that want a job. */
  readonly workers: readonly string[];
  readonly options: QueueOptions;
  readonly line: GroupTurns;
};

/**
 * Until the end of the transaction nobody else starts jobs of these groups, and whoever makes something of theirs ready
 * waits, and then knows whether they still stand in line. The locks are taken here, so that the next statement sees what
 * was done by those we have waited for.
 */
const HOLD_PLACES = `with locked as materialized (${lockNames("group", "$2")})
  select job_group from job_turns
  where lane = $1 and job_group in (select value from json_array_elements_text($2::json))
    and (select count(*) from locked) >= 0
  order by job_group for update`;

/**
 * Starts each group's best job and says whether it has more to run. Jobs that somebody is just changing are passed over:
 * they are claimed by a later turn, if they are still there.
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

const LEAVE_LINE = `update job_turns set is_waiting = 0
  where lane = $1 and job_group in (select value from json_array_elements_text($2::json))`;

/** Of a group that may run one more; whether it still may is seen again under its lock. */
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

export async function claimJobs(wish: ClaimWish, { sql, nowMs }: QueueTransaction): Promise<Claimed> {
  const { lane, workers, options, line } = wish;
  const groups = await takeTurns(wish, sql);
  if (groups.length === 0) return { claims: [], isWorthAnother: false };
  await (isReserved(lane) ? lockGroups(groups, sql) : sql.query(HOLD_PLACES, [lane, JSON.stringify(groups)]));
  const turns = groups.map((group, index) => ({
    job_group: group,
    token: randomUUID(),
    worker: workers[index] ?? "",
  }));
  const rows = await sql.query<Started>(START_BEST, [
    lane,
    JSON.stringify(turns),
    options.groupLimit,
    nowMs,
    nowMs + options.leaseMs,
  ]);
  if (!isReserved(lane)) {
    const [more, done] = [rows.filter((row) => row.has_more === 1), rows.filter((row) => row.has_more === 0)];
    // They stood in line before and stand there again, at its end.
    await line.enter(lane, more.map(groupOf), sql);
    if (done.length > 0) await sql.query(LEAVE_LINE, [lane, JSON.stringify(done.map(groupOf))]);
  }
  const claims = rows
    .filter(({ id }) => id !== null)
    .map((row) => {
      const job = toJob(row);
      return { job, token: row.token, isPoisoned: job.deaths >= options.maxDeaths };
    });
  const isAnybodyBack = rows.some((row) => row.id === null && row.has_more === 1);
  return { claims, isWorthAnother: claims.length > 0 || (!isAnybodyBack && !isReserved(lane)) };
}

function groupOf({ turn_group: group }: Started): string {
  return group;
}

/** In order, as everybody locks them. Nobody stands in line for a lane that has one worker only. */
async function takeTurns({ lane, workers, line, options }: ClaimWish, sql: Sql): Promise<readonly string[]> {
  if (!isReserved(lane)) return [...new Set(await line.take(lane, workers.length, sql))].toSorted();
  const rows = await sql.query<{ job_group: string }>(NEXT_IN_RESERVED_LANE, [lane, options.groupLimit]);
  return rows.map(({ job_group: group }) => group);
}
