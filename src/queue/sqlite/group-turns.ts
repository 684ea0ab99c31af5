/** The line in which groups wait for their turn: a table, since nobody else writes while a transaction does. */
import type { Database } from "../../store/database.ts";
import type { QueueTransaction } from "../rules/queue-transaction.ts";
import { HAS_IDLE_TURN } from "../rules/read-jobs.ts";
import { RESERVED_LANE_PREFIX } from "../queue.ts";

/**
 * Puts groups that have become ready in line; those that stand there already keep their place. Who has had a turn goes
 * behind all that wait, so a group that comes back waits for at most one turn of each other, whatever number it left with.
 */
export async function queueGroupTurns({ ready, sql }: QueueTransaction): Promise<void> {
  // Many jobs that become ready together are mostly of a few groups.
  const places = new Map(ready.splice(0).map((place) => [JSON.stringify(place), place]));
  for (const { lane, group } of places.values()) {
    await sql.query(
      `insert into job_turns (lane, job_group, is_shared, is_waiting, turn) values ($1, $2, $3, 1, 0)
       on conflict (lane, job_group) do update set is_waiting = 1 where job_turns.is_waiting = 0`,
      [lane, group, lane.startsWith(RESERVED_LANE_PREFIX) ? 0 : 1],
    );
  }
}

/** Forgets the places of groups that have nothing to run. */
export async function deleteIdleTurns(database: Database): Promise<void> {
  await database.query(`delete from job_turns where ${HAS_IDLE_TURN}`);
}
