/** Reads rows of the jobs table. Its states are finer than those of the port: see the migration of the table. */
import type { Row } from "../../store/database.ts";
import type { Job, JobState } from "../queue.ts";

/** States in the table that are `queued` to everybody else. */
export const QUEUED_STATES = ["ready", "delayed", "blocked"] as const;

/** Every `as` names the type that its column has in the migration. */
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
    // A program from before the column charged every crash, and named no worker.
    isSuspect: row["crashed_worker"] !== null || row["deaths"] !== 0,
    supersededBy: row["superseded_by"] as number | null,
    createdAt: row["created_at"] as number,
    runAt: row["run_at"] as number,
    startedAt: row["started_at"] as number | null,
    finishedAt: row["finished_at"] as number | null,
    worker: row["worker"] as string | null,
  };
}
