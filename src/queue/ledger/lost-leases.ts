/** A worker that did not renew its lease counts as dead: its job is queued again, or ends when it has killed too many. */
import type { Sql } from "../../store/database.ts";
import type { QueueOptions } from "../queue.ts";
import type { Books } from "./books.ts";
import { endJob } from "./end-job.ts";
import { waitUntil } from "./readiness.ts";

// A claim ends at most so many lost leases; the next claims go on. More than this many workers rarely die at once.
const MAX_LEASES_PER_CLAIM = 20;

export type LostLease = {
  readonly id: number;
  readonly key: string;
  readonly serial_key: string | null;
  readonly job_group: string;
};

type Lost = {
  readonly deaths: number;
  readonly stop: "superseded" | "cancelled" | null;
  readonly stop_reason: string | null;
};

export async function findLostLeases(nowMs: number, sql: Sql): Promise<readonly LostLease[]> {
  return sql.query<LostLease>(
    `select id, key, serial_key, job_group from jobs where state = 'running' and due_at <= $1
     order by job_group, due_at limit ${MAX_LEASES_PER_CLAIM}`,
    [nowMs],
  );
}

/** Of those that were found, and of no others: an engine has locked what belongs to them. */
export async function endLostLeases(
  found: readonly LostLease[],
  { maxDeaths }: QueueOptions,
  books: Books,
): Promise<void> {
  for (const { id } of found) {
    const [lost] = await books.sql.query<Lost>(
      `update jobs set deaths = deaths + 1 where id = $1 and state = 'running' and due_at <= $2
       returning deaths, stop, stop_reason`,
      [id, books.nowMs],
    );
    // The worker has come back in the meantime.
    if (lost === undefined) continue;
    const { deaths, stop, stop_reason: stopReason } = lost;
    if (stop !== null) await endJob(id, { state: stop, reason: stopReason ?? stop }, books);
    // The claim after the last death was only to tell people; if even that kills, the queue ends the job itself.
    else if (deaths > maxDeaths) await endJob(id, { state: "failed", reason: "failed:poison" }, books);
    else await waitUntil(id, { untilMs: books.nowMs, reason: "waiting:lease-lost" }, books);
  }
}

/** Until when a worker may still be at work, in milliseconds since 1970; null when no job is running. */
export async function readLastLease(sql: Sql): Promise<number | null> {
  const [row] = await sql.query<{ until: number | null }>(
    "select max(due_at) as until from jobs where state = 'running'",
  );
  return row?.until ?? null;
}
