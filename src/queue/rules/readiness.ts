/**
 * Which jobs may be claimed. At most one open job of a serial key is not `blocked`: its head. A group stands in line for
 * a lane as soon as one of its jobs there is `ready`.
 */
import type { Sql } from "../../store/database.ts";
import type { QueueTransaction } from "./queue-transaction.ts";

// A claim brings at most so many due jobs into line, so that many at once do not make it slow; the next claims go on.
const MAX_DUE_PER_CLAIM = 50;

type Placed = { readonly lane: string; readonly job_group: string; readonly state: string };

const SOMETHING_IS_DUE = `select
  exists (select 1 from jobs where state = 'running' and due_at <= $1) as has_lost,
  exists (select 1 from jobs where state = 'delayed' and due_at <= $1) as has_due`;

/** Whether leases are over, and whether delayed jobs may run. */
export async function readDue(nowMs: number, sql: Sql): Promise<{ hasLost: boolean; hasDue: boolean }> {
  const [row] = await sql.query<{ has_lost: number; has_due: number }>(SOMETHING_IS_DUE, [nowMs]);
  return { hasLost: row?.has_lost === 1, hasDue: row?.has_due === 1 };
}

export async function hasHead(serialKey: string, sql: Sql): Promise<boolean> {
  const rows = await sql.query("select id from jobs where head_key = $1", [serialKey]);
  return rows.length > 0;
}

/** After the head of a serial key has ended: the one that came first of those behind it takes its place. */
export async function advance(serialKey: string | null, transaction: QueueTransaction): Promise<void> {
  if (serialKey === null) return;
  const rows = await transaction.sql.query<Placed>(
    `update jobs set
       state = case when run_at <= $2 then 'ready' else 'delayed' end,
       due_at = case when run_at <= $2 then $2 else run_at end,
       head_key = $1
     where id = (select id from jobs where serial_key = $1 and state = 'blocked' order by id limit 1)
       and not exists (select 1 from jobs where head_key = $1)
     returning lane, job_group, state`,
    [serialKey, transaction.nowMs],
  );
  lineUp(rows, transaction);
}

/** Delayed jobs whose time has come. `passOver` is how an engine says that those others are just changing can wait. */
export async function admitDue(transaction: QueueTransaction, passOver = ""): Promise<void> {
  const rows = await transaction.sql.query<Placed>(
    `with due as (
       select id from jobs where state = 'delayed' and due_at <= $1
       order by due_at limit ${MAX_DUE_PER_CLAIM} ${passOver})
     update jobs set state = 'ready' where id in (select id from due)
     returning lane, job_group, state`,
    [transaction.nowMs],
  );
  lineUp(rows, transaction);
}

export type Wait = { readonly untilMs: number; readonly reason: string | null };

/** Makes a job that holds its place as head wait until then, or no longer. */
export async function waitUntil(
  jobId: number,
  { untilMs, reason }: Wait,
  transaction: QueueTransaction,
): Promise<void> {
  const isDue = untilMs <= transaction.nowMs;
  const rows = await transaction.sql.query<Placed>(
    `update jobs set state = $2, run_at = $3, due_at = $3, reason = $4, token = null, worker = null, step = null
     where id = $1 returning lane, job_group, state`,
    [jobId, isDue ? "ready" : "delayed", isDue ? transaction.nowMs : untilMs, reason],
  );
  lineUp(rows, transaction);
}

function lineUp(placed: readonly Placed[], { ready }: QueueTransaction): void {
  for (const { lane, job_group: group, state } of placed) if (state === "ready") ready.push({ lane, group });
}
