/** Converts rows of the `jobs` table. The table has more states than the port; migration 0002 describes them. */
import type { Row } from "../../store/database.ts";
import type { Job, JobState } from "../queue.ts";

/** States of the table that the port calls `queued`. */
export const QUEUED_STATES = ["ready", "delayed", "blocked"] as const;

/** Each `as` names the type its column has in the migration. */
export function toJob(row: Row): Job {
  const state = row["state"] as (typeof QUEUED_STATES)[number] | Exclude<JobState, "queued">;
  return {
    id: row["id"] as number,
    key: row["key"] as string,
    kind: row["kind"] as string,
    lane: row["lane"] as string,
    serialKey: row["serial_key"] as string | null,
    group: row["job_group"] as string,
    priority: row["priority"] as number,
    payload: row["payload"] as string,
    state: state === "ready" || state === "delayed" || state === "blocked" ? "queued" : state,
    reason: row["reason"] as string | null,
    step: row["step"] as string | null,
    attempts: row["attempts"] as number,
    deaths: row["deaths"] as number,
    // Releases before `crashed_worker` existed charged every crash and recorded no worker.
    isSuspect: row["crashed_worker"] !== null || row["deaths"] !== 0,
    supersededBy: row["superseded_by"] as number | null,
    createdAt: row["created_at"] as number,
    runAt: row["run_at"] as number,
    startedAt: row["started_at"] as number | null,
    finishedAt: row["finished_at"] as number | null,
    worker: row["worker"] as string | null,
  };
}
