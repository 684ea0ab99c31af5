/**
 * Decides which jobs can be claimed. Of all open jobs with one serial key, only the head isn't `blocked`. A group gets a
 * turn in a lane as soon as one of its jobs there is `ready`.
 */
import type { Sql } from "../../store/database.ts";
import type { QueueTransaction } from "./queue-transaction.ts";

// Limits the due jobs that one claim makes ready, so that many at once don't slow it down; later claims handle the rest.
const MAX_DUE_PER_CLAIM = 50;

type ChangedJob = { readonly lane: string; readonly job_group: string; readonly state: string };

const READ_DUE = `select
  exists (select 1 from jobs where state = 'running' and due_at <= $1) as has_lost,
  exists (select 1 from jobs where state = 'delayed' and due_at <= $1) as has_due`;

/** Whether any lease has expired, and whether any delayed job is due. */
export async function readDue(nowMs: number, sql: Sql): Promise<{ hasLost: boolean; hasDue: boolean }> {
  const [row] = await sql.query<{ has_lost: number; has_due: number }>(READ_DUE, [nowMs]);
  return { hasLost: row?.has_lost === 1, hasDue: row?.has_due === 1 };
}

export async function hasHead(serialKey: string, sql: Sql): Promise<boolean> {
  const rows = await sql.query("select id from jobs where head_key = $1", [serialKey]);
  return rows.length > 0;
}

/** Makes the oldest blocked job of a serial key its new head, if the key has none. */
export async function promoteNext(serialKey: string | null, transaction: QueueTransaction): Promise<void> {
  if (serialKey === null) return;
  const rows = await transaction.sql.query<ChangedJob>(
    `update jobs set
       state = case when run_at <= $2 then 'ready' else 'delayed' end,
       due_at = case when run_at <= $2 then $2 else run_at end,
       head_key = $1
     where id = (select id from jobs where serial_key = $1 and state = 'blocked' order by id limit 1)
       and not exists (select 1 from jobs where head_key = $1)
     returning lane, job_group, state`,
    [serialKey, transaction.nowMs],
  );
  noteReady(rows, transaction);
}

/** Makes delayed jobs ready once they are due. With `lockClause` an engine skips jobs that other transactions are changing. */
export async function makeDueJobsReady(transaction: QueueTransaction, lockClause = ""): Promise<void> {
  const rows = await transaction.sql.query<ChangedJob>(
    `with due as (
       select id from jobs where state = 'delayed' and due_at <= $1
       order by due_at limit ${MAX_DUE_PER_CLAIM} ${lockClause})
     update jobs set state = 'ready' where id in (select id from due)
     returning lane, job_group, state`,
    [transaction.nowMs],
  );
  noteReady(rows, transaction);
}

export type Wait = { readonly untilMs: number; readonly reason: string | null };

/** Queues a running job again until then, or makes it ready if that time has passed. It stays the head of its serial key. */
export async function waitUntil(
  jobId: number,
  { untilMs, reason }: Wait,
  transaction: QueueTransaction,
): Promise<void> {
  const isDue = untilMs <= transaction.nowMs;
  const rows = await transaction.sql.query<ChangedJob>(
    `update jobs set state = $2, run_at = $3, due_at = $3, reason = $4, token = null, worker = null, step = null
     where id = $1 returning lane, job_group, state`,
    [jobId, isDue ? "ready" : "delayed", isDue ? transaction.nowMs : untilMs, reason],
  );
  noteReady(rows, transaction);
}

function noteReady(changed: readonly ChangedJob[], { ready }: QueueTransaction): void {
  for (const { lane, job_group: group, state } of changed) if (state === "ready") ready.push({ lane, group });
}
