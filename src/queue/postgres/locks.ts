/**
 * What keeps transactions apart that change the same jobs. Everybody locks in this order, so that nobody waits for
 * somebody who waits for them: upkeep, serial keys, jobs, groups, places in line. A claim, which begins with the line,
 * passes over jobs that others have locked.
 */
import type { Sql } from "../../store/database.ts";
import type { JobRequest } from "../queue.ts";

/** Until the end of the transaction nobody else adds, replaces or ends jobs of these serial keys. */
export async function lockSerialKeys(keys: readonly string[], sql: Sql): Promise<void> {
  const sorted = [...new Set(keys)].toSorted();
  if (sorted.length > 0) await sql.query(LOCK_SERIAL_KEYS, [JSON.stringify(sorted)]);
}

/** Until the end of the transaction nobody else starts jobs of these groups. */
export async function lockGroups(groups: readonly string[], sql: Sql): Promise<void> {
  if (groups.length > 0) await sql.query(LOCK_GROUPS, [JSON.stringify(groups.toSorted())]);
}

/** Until the end of the transaction nobody else ends leases of dead workers. False when somebody does it just now. */
export async function lockUpkeep(sql: Sql): Promise<boolean> {
  const [row] = await sql.query<{ is_ours: number }>(LOCK_UPKEEP);
  return row?.is_ours === 1;
}

/** At the end of a query: rows that others have locked are left to them. */
export const PASS_OVER = "for update skip locked";

/** A job without a serial key is only in the way of one with the same key. */
export function serialKeyOf({ serialKey, key }: Pick<JobRequest, "serialKey" | "key">): string {
  return serialKey ?? key;
}

/** A query that locks the names of a JSON list, one after the other; the caller has sorted them. */
export function lockNames(kind: string, list: string): string {
  // Names that happen to have the same number only wait for each other without need.
  return `select pg_advisory_xact_lock(hashtextextended('kodiai ${kind} ' || name, 0)) from (
    select value as name from json_array_elements_text(${list}::json) with ordinality order by ordinality offset 0) as names`;
}

const LOCK_SERIAL_KEYS = lockNames("serial", "$1");
const LOCK_GROUPS = lockNames("group", "$1");
const LOCK_UPKEEP = "select pg_try_advisory_xact_lock(hashtextextended('kodiai upkeep', 0)) as is_ours";
