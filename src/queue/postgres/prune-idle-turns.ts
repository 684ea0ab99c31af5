/**
 * Deletes the turns of groups with nothing to run. Each turn is locked before it is checked: a transaction that makes a
 * job of the group ready in the meantime waits, and then inserts a new turn.
 */
import type { Database } from "../../store/database.ts";
import { IS_IDLE_TURN } from "../rules/read-jobs.ts";
import { SKIP_LOCKED } from "./locks.ts";

// Keeps the transaction short, because enqueueing a job for one of these groups waits for it.
const MAX_PRUNED_TURNS = 500;

/** Turns that another transaction has locked aren't idle. */
const LOCK_IDLE_TURNS = `select lane, job_group from job_turns where ${IS_IDLE_TURN}
  limit ${MAX_PRUNED_TURNS} ${SKIP_LOCKED}`;

/** Checks again, because only a statement that starts after the lock sees jobs made ready before it. */
const DELETE_IDLE_TURNS = `delete from job_turns
  where (lane, job_group) in (
    select lane, job_group from json_to_recordset($1::json) as locked (lane text, job_group text))
  and ${IS_IDLE_TURN}`;

export async function pruneIdleTurns(database: Database): Promise<void> {
  for (let locked = MAX_PRUNED_TURNS; locked === MAX_PRUNED_TURNS;) {
    locked = await database.transaction(async (sql) => {
      const turns = await sql.query(LOCK_IDLE_TURNS);
      if (turns.length > 0) await sql.query(DELETE_IDLE_TURNS, [JSON.stringify(turns)]);
      return turns.length;
    });
  }
}
