/**
 * Forgets the places in line of groups that have nothing to run. A place is locked before it is looked at: whoever makes
 * something ready there in the meantime waits, and then makes a new one.
 */
import type { Database } from "../../store/database.ts";
import { HAS_IDLE_TURN } from "../rules/read-jobs.ts";
import { PASS_OVER } from "./locks.ts";

// Whoever enqueues for one of these groups waits for the transaction.
const MAX_FORGOTTEN_PER_TRANSACTION = 500;

/** What others have just in hand is not idle. */
const HOLD_IDLE_PLACES = `select lane, job_group from job_turns where ${HAS_IDLE_TURN}
  limit ${MAX_FORGOTTEN_PER_TRANSACTION} ${PASS_OVER}`;

/** Asks again: what was made ready before the place was locked is seen only by a statement that begins after it. */
const FORGET_PLACES = `delete from job_turns
  where (lane, job_group) in (
    select lane, job_group from json_to_recordset($1::json) as place (lane text, job_group text))
  and ${HAS_IDLE_TURN}`;

export async function forgetIdleGroups(database: Database): Promise<void> {
  for (let held = MAX_FORGOTTEN_PER_TRANSACTION; held === MAX_FORGOTTEN_PER_TRANSACTION;) {
    held = await database.transaction(async (sql) => {
      const places = await sql.query(HOLD_IDLE_PLACES);
      if (places.length > 0) await sql.query(FORGET_PLACES, [JSON.stringify(places)]);
      return places.length;
    });
  }
}
