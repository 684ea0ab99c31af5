/** Counts workers by the heartbeats of their jobs. A worker without a job leaves no trace in the database. */
import type { Sql } from "../../store/database.ts";

export type WorkerCounts = {
  /** Workers with a job whose lease hasn't expired. */
  readonly alive: number;
  /** Running jobs whose lease has expired. */
  readonly lostJobs: number;
};

export async function readWorkers(nowMs: number, sql: Sql): Promise<WorkerCounts> {
  const [row] = await sql.query<{ alive: number; lost: number }>(
    `select count(distinct case when due_at >= $1 then worker end) as alive,
       count(case when due_at < $1 then 1 end) as lost
     from jobs where state = 'running'`,
    [nowMs],
  );
  return { alive: row?.alive ?? 0, lostJobs: row?.lost ?? 0 };
}
