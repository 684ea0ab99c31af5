/** Keeps the turns of groups in the `job_turns` table. SQLite has one writer at a time, so no further locks are needed. */
import type { Database } from "../../store/database.ts";
import type { QueueTransaction } from "../rules/queue-transaction.ts";
import { IS_IDLE_TURN } from "../rules/read-jobs.ts";
import { isSharedLane } from "../queue.ts";

/**
 * Queues turns for groups that have become ready. Groups that already wait keep their position. A group that has had its
 * turn moves behind all waiting groups, so a group that returns waits for at most one turn of each other group.
 */
export async function queueGroupTurns({ ready, sql }: QueueTransaction): Promise<void> {
  // Jobs that become ready together mostly belong to a few groups.
  const turns = new Map(ready.splice(0).map((key) => [JSON.stringify(key), key]));
  for (const { lane, group } of turns.values()) {
    await sql.query(
      `insert into job_turns (lane, job_group, is_shared, is_waiting, turn) values ($1, $2, $3, 1, 0)
       on conflict (lane, job_group) do update set is_waiting = 1 where job_turns.is_waiting = 0`,
      [lane, group, isSharedLane(lane) ? 1 : 0],
    );
  }
}

/** Deletes the turns of groups with nothing to run. */
export async function deleteIdleTurns(database: Database): Promise<void> {
  await database.query(`delete from job_turns where ${IS_IDLE_TURN}`);
}
