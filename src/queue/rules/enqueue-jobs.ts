/**
 * Adds jobs inside the caller's transaction. A request with a known key adds nothing. Most requests conflict with no other
 * job; those are inserted many at a time.
 */
import { type Sql, type SqlValue, toStorableText } from "../../store/database.ts";
import { inBatchesAtOnce, lookUps, rowsOf } from "../../store/many-rows.ts";
import type { Enqueued, JobRequest, Queue } from "../queue.ts";
import type { QueueTransaction } from "./queue-transaction.ts";
import { hasHead, promoteNext } from "./readiness.ts";

/** The jobs that requests may conflict with. */
export type Existing = {
  readonly jobs: ReadonlyMap<string, Known>;
  /** The serial keys of which a job is open. */
  readonly heads: ReadonlySet<string>;
};

type Known = {
  readonly key: string;
  readonly id: number;
  readonly serial_key: string | null;
  readonly head_key: string | null;
  readonly state: string;
  readonly reason: string | null;
};

/** Where transactions run concurrently, the caller has locked the keys of the requests. */
export async function findExisting(requests: readonly JobRequest[], sql: Sql): Promise<Existing> {
  const found = await inBatchesAtOnce(requests, (batch) =>
    sql.query<Known>(
      lookUps(batch.length, `${SELECT_KNOWN} key =`, `${SELECT_KNOWN} head_key =`),
      batch.flatMap(({ key, serialKey }) => [key, serialKey]),
    ),
  );
  return {
    jobs: new Map(found.map((job) => [job.key, job])),
    heads: new Set(found.flatMap((job) => job.head_key ?? [])),
  };
}

const SELECT_KNOWN = "select key, id, serial_key, head_key, state, reason from jobs where";

/** Enqueues in one go. */
export function enqueueWith(start: Queue["startEnqueuing"]): Queue["enqueue"] {
  return async (requests, sql) => {
    const enqueuing = await start(requests, sql);
    const enqueued = await enqueuing.add(requests);
    await enqueuing.finish();
    return enqueued;
  };
}

export async function enqueueJobs(
  requests: readonly JobRequest[],
  existing: Existing,
  transaction: QueueTransaction,
): Promise<readonly Enqueued[]> {
  const compare = createComparison(existing);
  const enqueued: Enqueued[] = [];
  let unblocked: { readonly request: JobRequest; readonly index: number }[] = [];
  const flush = async (): Promise<void> => {
    const flushed = unblocked;
    unblocked = [];
    const ids = await insertUnblocked(
      flushed.map(({ request }) => request),
      transaction,
    );
    for (const [nth, { index }] of flushed.entries()) enqueued[index] = { jobId: ids[nth] ?? 0, isNew: true };
  };
  for (const [index, request] of requests.entries()) {
    const compared = compare(request);
    if (compared === "unblocked") unblocked.push({ request, index });
    else if (compared === "unclear") {
      // Ids follow the order of the requests.
      await flush();
      enqueued[index] = await enqueueJob(request, transaction);
    } else enqueued[index] = { jobId: compared.id, isNew: false };
  }
  await flush();
  return enqueued;
}

/**
 * Compares each request with what existed before the first one. Returns the job that it requests again, or `unblocked` if it conflicts
 * with no job. `unclear`: it conflicts with a job, which it may replace, or which an earlier request may have added or ended.
 */
function createComparison(existing: Existing): (request: JobRequest) => Known | "unblocked" | "unclear" {
  const earlier = { keys: new Set<string>(), serialKeys: new Set<string>() };
  return (request) => {
    const key = toStorableText(request.key);
    const serialKey = request.serialKey === null ? null : toStorableText(request.serialKey);
    const known = existing.jobs.get(key);
    const isRelated = earlier.keys.has(key) || (serialKey !== null && earlier.serialKeys.has(serialKey));
    if (known !== undefined && known.serial_key === serialKey && !isReplaceable(known) && !isRelated)
      return known;
    earlier.keys.add(key);
    if (serialKey !== null) earlier.serialKeys.add(serialKey);
    const isBlocked = serialKey !== null && existing.heads.has(serialKey);
    return known === undefined && !isRelated && !isBlocked ? "unblocked" : "unclear";
  };
}

/** Inserts jobs that wait for no other job. Returns their ids in order. */
async function insertUnblocked(
  requests: readonly JobRequest[],
  transaction: QueueTransaction,
): Promise<readonly number[]> {
  for (const { lane, group, delayMs } of requests) if (delayMs <= 0) transaction.ready.push({ lane, group });
  return insert(
    requests.map((request) => ({ request, state: request.delayMs > 0 ? "delayed" : "ready" })),
    transaction,
  );
}

async function enqueueJob(request: JobRequest, transaction: QueueTransaction): Promise<Enqueued> {
  const { key, serialKey } = request;
  const { sql } = transaction;
  const [known] = await sql.query<Pick<Known, "id" | "state" | "reason">>(
    "select id, state, reason from jobs where key = $1",
    [key],
  );
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

/** The job produced no result, through no fault of its own, so a new request with its key becomes a new job. */
function isReplaceable({ state, reason }: Pick<Known, "state" | "reason">): boolean {
  return state === "superseded" || state === "skipped" || (state === "failed" && reason !== "failed:poison");
}

type NewJob = { readonly request: JobRequest; readonly state: "blocked" | "delayed" | "ready" };

/** Returns the ids in the order of the jobs. */
async function insert(
  jobs: readonly NewJob[],
  { sql, nowMs, newIds }: QueueTransaction,
): Promise<readonly number[]> {
  const known = newIds.splice(0, jobs.length);
  const numbered = jobs.map((job, index) => ({ ...job, id: known[index] ?? null }));
  const inserting = inBatchesAtOnce(numbered, (batch) =>
    sql.query<{ id: number; key: string }>(
      // Without an id, the database assigns one.
      `insert into jobs
         (id, key, kind, lane, serial_key, job_group, priority, payload, state, due_at, run_at, created_at, head_key)
       values ${rowsOf(batch.length, 13)} returning id, key`,
      batch.flatMap(({ id, request, state }) => [id, ...valuesOf(request, state, nowMs)]),
    ),
  );
  if (known.length === jobs.length) {
    // The caller need not wait for an answer. If the insert fails, so does the transaction.
    inserting.catch(() => {});
    return known;
  }
  const ids = new Map((await inserting).map(({ id, key }) => [key, id]));
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
