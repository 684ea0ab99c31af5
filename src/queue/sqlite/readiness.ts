/**
 * Which jobs may be claimed. At most one open job of a serial key is not `blocked`: its head. A group stands in line for
 * a lane as soon as one of its jobs there is `ready`.
 */
import type { Sql } from "../../store/database.ts";
import { RESERVED_LANE_PREFIX } from "../queue.ts";

// A claim brings at most so many due jobs into line, so that many at once do not make it slow; the next claims go on.
const MAX_DUE_PER_CLAIM = 50;

type Placed = { readonly lane: string; readonly job_group: string; readonly state: string };

/**
 * Puts the group in line for the lane; keeps its place when it stands there already. Who has had a turn goes behind all
 * that wait, so a group that comes back waits for at most one turn of each other, whatever number it left with.
 */
export async function standInLine(lane: string, group: string, sql: Sql): Promise<void> {
  await sql.query(
    `insert into job_turns (lane, job_group, is_shared, is_waiting, turn) values ($1, $2, $3, 1, 0)
     on conflict (lane, job_group) do update set is_waiting = 1 where job_turns.is_waiting = 0`,
    [lane, group, lane.startsWith(RESERVED_LANE_PREFIX) ? 0 : 1],
  );
}

export async function hasHead(serialKey: string, sql: Sql): Promise<boolean> {
  const rows = await sql.query("select id from jobs where head_key = $1", [serialKey]);
  return rows.length > 0;
}

/** After the head of a serial key has ended: the one that came first of those behind it takes its place. */
export async function advance(serialKey: string | null, nowMs: number, sql: Sql): Promise<void> {
  if (serialKey === null) return;
  const rows = await sql.query<Placed>(
    `update jobs set
       state = case when run_at <= $2 then 'ready' else 'delayed' end,
       due_at = case when run_at <= $2 then $2 else run_at end,
       head_key = $1
     where id = (select id from jobs where serial_key = $1 and state = 'blocked' order by id limit 1)
       and not exists (select 1 from jobs where head_key = $1)
     returning lane, job_group, state`,
    [serialKey, nowMs],
  );
  await lineUp(rows, sql);
}

/** Delayed jobs whose time has come. */
export async function admitDue(nowMs: number, sql: Sql): Promise<void> {
  const rows = await sql.query<Placed>(
    `update jobs set state = 'ready'
     where id in (
       select id from jobs where state = 'delayed' and due_at <= $1
       order by due_at limit ${MAX_DUE_PER_CLAIM})
     returning lane, job_group, state`,
    [nowMs],
  );
  await lineUp(rows, sql);
}

/** Makes a job that holds its place as head wait until then, or no longer. */
export async function waitUntil(
  jobId: number,
  wait: { readonly untilMs: number; readonly nowMs: number; readonly reason: string | null },
  sql: Sql,
): Promise<void> {
  const { untilMs, nowMs, reason } = wait;
  const isDue = untilMs <= nowMs;
  const rows = await sql.query<Placed>(
    `update jobs set state = $2, run_at = $3, due_at = $3, reason = $4, token = null, worker = null, step = null
     where id = $1 returning lane, job_group, state`,
    [jobId, isDue ? "ready" : "delayed", isDue ? nowMs : untilMs, reason],
  );
  await lineUp(rows, sql);
}

async function lineUp(placed: readonly Placed[], sql: Sql): Promise<void> {
  for (const { lane, job_group: group, state } of placed) {
    if (state === "ready") await standInLine(lane, group, sql);
  }
}
