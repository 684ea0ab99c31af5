/** Reads, lists and counts jobs, and deletes old ones. Never changes an open job. */
import { type Database, type Sql, toStorableText } from "../../store/database.ts";
import { type Job, type JobFilter, type QueueStats, RESERVED_LANE_PREFIX } from "../queue.ts";
import { QUEUED_STATES, toJob } from "./job-rows.ts";

// Keeps each transaction of a long clean-up short, so that webhooks and workers don't wait for it.
const MAX_PRUNED_PER_TRANSACTION = 500;

export async function readJob(jobId: number, sql: Sql): Promise<Job | null> {
  const [row] = await sql.query("select * from jobs where id = $1", [jobId]);
  return row === undefined ? null : toJob(row);
}

/** Oldest first. */
export async function readReplaced(jobId: number, sql: Sql): Promise<readonly Job[]> {
  const rows = await sql.query(
    `with recursive replaced (id) as (
       select id from jobs where superseded_by = $1 and state = 'superseded'
       union
       select jobs.id from jobs join replaced on jobs.superseded_by = replaced.id where jobs.state = 'superseded'
     )
     select * from jobs where id in (select id from replaced) order by id`,
    [jobId],
  );
  return rows.map(toJob);
}

export async function listJobs({ states, limit }: JobFilter, sql: Sql): Promise<readonly Job[]> {
  const wanted = states?.flatMap((state) => (state === "queued" ? [...QUEUED_STATES] : [state]));
  const condition =
    wanted === undefined ? "" : `where state in (${wanted.map((_, index) => `$${index + 2}`).join(", ")})`;
  const rows = await sql.query(`select * from jobs ${condition} order by id desc limit $1`, [
    limit,
    ...(wanted ?? []),
  ]);
  return rows.map(toJob);
}

/** Excludes reserved lanes: their jobs don't show whether the other workers keep up. */
const IS_SHARED = `substr(lane, 1, ${RESERVED_LANE_PREFIX.length}) <> '${RESERVED_LANE_PREFIX}'`;

export async function readStats(nowMs: number, sql: Sql): Promise<QueueStats> {
  const [row] = await sql.query<{
    queued: number;
    running: number;
    ready: number | null;
    due: number | null;
  }>(
    `select
       (select count(*) from jobs where state = 'ready')
         + (select count(*) from jobs where state = 'delayed')
         + (select count(*) from jobs where state = 'blocked') as queued,
       (select count(*) from jobs where state = 'running') as running,
       (select min(due_at) from jobs where state = 'ready' and ${IS_SHARED}) as ready,
       (select min(due_at) from jobs where state = 'delayed' and due_at <= $1 and ${IS_SHARED}) as due`,
    [nowMs],
  );
  const since = [row?.ready, row?.due].filter((time) => time != null);
  return {
    queued: row?.queued ?? 0,
    running: row?.running ?? 0,
    oldestReadyMs: since.length === 0 ? null : Math.max(0, nowMs - Math.min(...since)),
  };
}

export async function isAnyJobOpen(keys: readonly string[], sql: Sql): Promise<boolean> {
  for (const key of keys) {
    const rows = await sql.query("select id from jobs where key = $1 and finished_at is null", [
      toStorableText(key),
    ]);
    if (rows.length > 0) return true;
  }
  return false;
}

/** Scans the whole table, so call it rarely. */
export async function listSerialJobs(
  prefix: string,
  sql: Sql,
): Promise<readonly Pick<Job, "id" | "state">[]> {
  const rows = await sql.query("select * from jobs where substr(serial_key, 1, $2) = $1 order by id", [
    prefix,
    prefix.length,
  ]);
  return rows.map(toJob).map(({ id, state }) => ({ id, state }));
}

export async function forgetJobs(jobIds: readonly number[], sql: Sql): Promise<void> {
  for (const id of jobIds)
    await sql.query("delete from jobs where id = $1 and finished_at is not null", [id]);
}

/** Deletes jobs that ended before then and returns how many. */
export async function pruneJobs(beforeMs: number, database: Database): Promise<number> {
  let pruned = 0;
  for (;;) {
    const rows = await database.query(
      `delete from jobs where id in (
         select id from jobs where finished_at < $1 order by id limit ${MAX_PRUNED_PER_TRANSACTION})
       and finished_at < $1
       returning id`,
      [beforeMs],
    );
    pruned += rows.length;
    if (rows.length < MAX_PRUNED_PER_TRANSACTION) break;
  }
  return pruned;
}

/**
 * Selects turns of groups with nothing to run. Without a clean-up, every reserved lane would leave one behind. A group
 * that gets new work also gets a new turn. Turns that still wait in a shared lane are cleared by the next claim.
 */
export const IS_IDLE_TURN = `(is_waiting = 0 or is_shared = 0) and not exists (
  select 1 from jobs
  where jobs.state = 'ready' and jobs.lane = job_turns.lane and jobs.job_group = job_turns.job_group)`;
