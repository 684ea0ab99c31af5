/**
 * Adds jobs inside the caller's transaction. A request with a known key adds nothing. Most requests conflict with no other
 * job; those are inserted many at a time.
 */
import { type Sql, type SqlValue, toStorableText } from "../../store/database.ts";
import { inBatches, lookUps, rowsOf } from "../../store/many-rows.ts";
import type { Enqueued, JobRequest } from "../queue.ts";
import type { QueueTransaction } from "./queue-transaction.ts";
import { hasHead, promoteNext } from "./readiness.ts";

export async function enqueueJobs(
  requests: readonly JobRequest[],
  transaction: QueueTransaction,
): Promise<readonly Enqueued[]> {
  const hasConflict = await findConflicts(requests, transaction.sql);
  const enqueued: Enqueued[] = [];
  let unblocked: JobRequest[] = [];
  const flush = async (): Promise<void> => {
    for (const jobId of await insertUnblocked(unblocked, transaction)) enqueued.push({ jobId, isNew: true });
    unblocked = [];
  };
  for (const request of requests) {
    if (!hasConflict(request)) {
      unblocked.push(request);
      continue;
    }
    // Ids follow the order of the requests.
    await flush();
    enqueued.push(await enqueueJob(request, transaction));
  }
  await flush();
  return enqueued;
}

/**
 * Tells for each request whether a job with its key exists, or a job that it must wait for. Earlier requests of the batch
 * count as jobs.
 */
async function findConflicts(
  requests: readonly JobRequest[],
  sql: Sql,
): Promise<(request: JobRequest) => boolean> {
  const ownKeys = requests.map(({ key }) => key);
  const serialKeys = requests.flatMap(({ serialKey }) => serialKey ?? []);
  const keys = new Set(await findValues("key", ownKeys, sql));
  const heads = new Set(await findValues("head_key", serialKeys, sql));
  return ({ key, serialKey }) => {
    const isConflict = keys.has(key) || (serialKey !== null && heads.has(serialKey));
    keys.add(key);
    if (serialKey !== null) heads.add(serialKey);
    return isConflict;
  };
}

/** Returns the values that some job has. */
async function findValues(
  column: "key" | "head_key",
  values: readonly string[],
  sql: Sql,
): Promise<readonly string[]> {
  const found = await inBatches([...new Set(values)], async (batch) => {
    const text = lookUps(batch.length, `select ${column} as found from jobs where ${column} =`);
    const rows = await sql.query<{ found: string }>(text, batch);
    const known = new Set(rows.map((row) => row.found));
    return batch.filter((value) => known.has(toStorableText(value)));
  });
  return found;
}

/** Inserts jobs that wait for no other job. Returns their ids in order. */
async function insertUnblocked(
  requests: readonly JobRequest[],
  transaction: QueueTransaction,
): Promise<readonly number[]> {
  const ids = await insert(
    requests.map((request) => ({ request, state: request.delayMs > 0 ? "delayed" : "ready" })),
    transaction,
  );
  for (const { lane, group, delayMs } of requests) if (delayMs <= 0) transaction.ready.push({ lane, group });
  return ids;
}

async function enqueueJob(request: JobRequest, transaction: QueueTransaction): Promise<Enqueued> {
  const { key, serialKey } = request;
  const { sql } = transaction;
  const [known] = await sql.query<Known>("select id, state, reason from jobs where key = $1", [key]);
  if (known !== undefined) {
    if (!isReplaceable(known)) return { jobId: known.id, isNew: false };
    await sql.query("update jobs set key = key || '#' || id where id = $1", [known.id]);
  }

  if (serialKey !== null && (await hasHead(serialKey, sql))) {
    const [jobId = 0] = await insert([{ request, state: "blocked" }], transaction);
    if (request.supersedes) await supersedeOthers(jobId, serialKey, transaction);
    await promoteNext(serialKey, transaction);
    return { jobId, isNew: true };
  }
  const [jobId = 0] = await insertUnblocked([request], transaction);
  return { jobId, isNew: true };
}

type Known = { readonly id: number; readonly state: string; readonly reason: string | null };

/** The job produced no result, through no fault of its own, so a new request with its key becomes a new job. */
function isReplaceable({ state, reason }: Known): boolean {
  return state === "superseded" || state === "skipped" || (state === "failed" && reason !== "failed:poison");
}

type NewJob = { readonly request: JobRequest; readonly state: "blocked" | "delayed" | "ready" };

/** Returns the ids in the order of the jobs. */
async function insert(jobs: readonly NewJob[], { sql, nowMs }: QueueTransaction): Promise<readonly number[]> {
  const rows = await inBatches(jobs, (batch) =>
    sql.query<{ id: number; key: string }>(
      `insert into jobs
         (key, kind, lane, serial_key, job_group, priority, payload, state, due_at, run_at, created_at, head_key)
       values ${rowsOf(batch.length, 12)} returning id, key`,
      batch.flatMap(({ request, state }) => valuesOf(request, state, nowMs)),
    ),
  );
  const ids = new Map(rows.map(({ id, key }) => [key, id]));
  return jobs.map(({ request: { key } }) => {
    const id = ids.get(toStorableText(key));
    if (id === undefined) throw new Error("Inserting a job returned no row.");
    return id;
  });
}

function valuesOf(request: JobRequest, state: NewJob["state"], nowMs: number): readonly SqlValue[] {
  const { key, kind, lane, serialKey, group, priority, payload, delayMs } = request;
  const runAt = nowMs + Math.max(0, delayMs);
  const headKey = state === "blocked" ? null : serialKey;
  return [key, kind, lane, serialKey, group, priority, payload, state, runAt, runAt, nowMs, headKey];
}

async function supersedeOthers(
  jobId: number,
  serialKey: string,
  { sql, nowMs }: QueueTransaction,
): Promise<void> {
  const reason = `superseded-by:${jobId}`;
  // Blocked jobs and the head are found through different indexes, hence two statements.
  await sql.query(
    `update jobs set state = 'superseded', reason = $3, superseded_by = $2, finished_at = $4
     where serial_key = $1 and state = 'blocked' and id <> $2`,
    [serialKey, jobId, reason, nowMs],
  );
  await sql.query(
    `update jobs set state = 'superseded', reason = $3, superseded_by = $2, finished_at = $4, head_key = null
     where head_key = $1 and state <> 'running'`,
    [serialKey, jobId, reason, nowMs],
  );
  // A running job that was already asked to stop keeps the first reason.
  await sql.query(
    `update jobs set stop = 'superseded', stop_reason = $3, superseded_by = $2
     where head_key = $1 and state = 'running' and stop is null`,
    [serialKey, jobId, reason],
  );
}
