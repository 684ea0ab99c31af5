/**
 * Adds jobs inside the caller's transaction. A known key adds nothing. Jobs that meet no other, which are nearly all, are added
 * with one statement for many.
 */
import { type Sql, type SqlValue, toStorableText } from "../../store/database.ts";
import { inBatches, rowsOf } from "../../store/many-rows.ts";
import type { Enqueued, JobRequest } from "../queue.ts";
import type { QueueTransaction } from "./queue-transaction.ts";
import { advance, hasHead } from "./readiness.ts";

export async function enqueueJobs(
  requests: readonly JobRequest[],
  transaction: QueueTransaction,
): Promise<readonly Enqueued[]> {
  const meetsOther = await findMeetings(requests, transaction.sql);
  const enqueued: Enqueued[] = [];
  let free: JobRequest[] = [];
  const addFree = async (): Promise<void> => {
    for (const jobId of await insertFree(free, transaction)) enqueued.push({ jobId, isNew: true });
    free = [];
  };
  for (const request of requests) {
    if (!meetsOther(request)) {
      free.push(request);
      continue;
    }
    // Jobs are numbered in the order of their coming.
    await addFree();
    enqueued.push(await enqueueJob(request, transaction));
  }
  await addFree();
  return enqueued;
}

/** Whether there is a job with the key of a request, or one that it has to wait for; also among the requests before it. */
async function findMeetings(
  requests: readonly JobRequest[],
  sql: Sql,
): Promise<(request: JobRequest) => boolean> {
  const ownKeys = requests.map(({ key }) => key);
  const serialKeys = requests.flatMap(({ serialKey }) => serialKey ?? []);
  const keys = new Set(await findValues("key", ownKeys, sql));
  const heads = new Set(await findValues("head_key", serialKeys, sql));
  return ({ key, serialKey }) => {
    const isMet = keys.has(key) || (serialKey !== null && heads.has(serialKey));
    keys.add(key);
    if (serialKey !== null) heads.add(serialKey);
    return isMet;
  };
}

/**
 * Which of these some job has. Each is looked up by itself, in one statement: for a list of them a server would keep the plan from
 * when there were few jobs, and read them all.
 */
async function findValues(
  column: "key" | "head_key",
  values: readonly string[],
  sql: Sql,
): Promise<readonly string[]> {
  const found = await inBatches([...new Set(values)], async (batch) => {
    const looks = batch.map(
      (_, index) => `select ${column} as found from jobs where ${column} = $${index + 1}`,
    );
    const rows = await sql.query<{ found: string }>(looks.join(" union all "), batch);
    const known = new Set(rows.map((row) => row.found));
    return batch.filter((value) => known.has(toStorableText(value)));
  });
  return found;
}

/** Adds jobs that wait for no other; their ids, in their order. */
async function insertFree(
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
    if (!makesRoom(known)) return { jobId: known.id, isNew: false };
    await sql.query("update jobs set key = key || '#' || id where id = $1", [known.id]);
  }

  if (serialKey !== null && (await hasHead(serialKey, sql))) {
    const [jobId = 0] = await insert([{ request, state: "blocked" }], transaction);
    if (request.supersedes) await supersedeOthers(jobId, serialKey, transaction);
    await advance(serialKey, transaction);
    return { jobId, isNew: true };
  }
  const [jobId = 0] = await insertFree([request], transaction);
  return { jobId, isNew: true };
}

type Known = { readonly id: number; readonly state: string; readonly reason: string | null };

/** Nothing came of it, and it was not the job's own fault: asked for again, it is a new job. */
function makesRoom({ state, reason }: Known): boolean {
  return state === "superseded" || state === "skipped" || (state === "failed" && reason !== "failed:poison");
}

type NewJob = { readonly request: JobRequest; readonly state: "blocked" | "delayed" | "ready" };

/** The ids, in their order. */
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
    if (id === undefined) throw new Error("An insert gave no row back.");
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
  // Those behind the head and the head itself are found by different indexes.
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
  // A running one that has been told to stop already keeps the reason it was told.
  await sql.query(
    `update jobs set stop = 'superseded', stop_reason = $3, superseded_by = $2
     where head_key = $1 and state = 'running' and stop is null`,
    [serialKey, jobId, reason],
  );
}
