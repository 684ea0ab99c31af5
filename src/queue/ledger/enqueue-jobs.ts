/** Adds jobs inside the caller's transaction. A known key adds nothing. */
import type { Enqueued, JobRequest } from "../queue.ts";
import type { Books } from "./books.ts";
import { advance, hasHead } from "./readiness.ts";

export async function enqueueJobs(
  requests: readonly JobRequest[],
  books: Books,
): Promise<readonly Enqueued[]> {
  const enqueued: Enqueued[] = [];
  for (const request of requests) enqueued.push(await enqueueJob(request, books));
  return enqueued;
}

async function enqueueJob(request: JobRequest, books: Books): Promise<Enqueued> {
  const { key, lane, group, serialKey, delayMs } = request;
  const { sql } = books;
  const [known] = await sql.query<Known>("select id, state, reason from jobs where key = $1", [key]);
  if (known !== undefined) {
    if (!makesRoom(known)) return { jobId: known.id, isNew: false };
    await sql.query("update jobs set key = key || '#' || id where id = $1", [known.id]);
  }

  if (serialKey !== null && (await hasHead(serialKey, sql))) {
    const jobId = await insert(request, "blocked", books);
    if (request.supersedes) await supersedeOthers(jobId, serialKey, books);
    await advance(serialKey, books);
    return { jobId, isNew: true };
  }
  const state = delayMs > 0 ? "delayed" : "ready";
  const jobId = await insert(request, state, books);
  if (state === "ready") books.ready.push({ lane, group });
  return { jobId, isNew: true };
}

type Known = { readonly id: number; readonly state: string; readonly reason: string | null };

/** Nothing came of it, and it was not the job's own fault: asked for again, it is a new job. */
function makesRoom({ state, reason }: Known): boolean {
  return state === "superseded" || state === "skipped" || (state === "failed" && reason !== "failed:poison");
}

async function insert(request: JobRequest, state: string, { sql, nowMs }: Books): Promise<number> {
  const runAt = nowMs + Math.max(0, request.delayMs);
  const [row] = await sql.query<{ id: number }>(
    `insert into jobs
       (key, kind, lane, serial_key, job_group, priority, payload, state, due_at, run_at, created_at, head_key)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11) returning id`,
    [
      request.key,
      request.kind,
      request.lane,
      request.serialKey,
      request.group,
      request.priority,
      request.payload,
      state,
      runAt,
      nowMs,
      state === "blocked" ? null : request.serialKey,
    ],
  );
  if (row === undefined) throw new Error("An insert gave no row back.");
  return row.id;
}

async function supersedeOthers(jobId: number, serialKey: string, { sql, nowMs }: Books): Promise<void> {
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
