/**
 * Locks between transactions that change the same jobs. Every transaction locks in this order, which rules out deadlocks:
 * maintenance, serial keys, jobs, groups, turns. A claim starts with the turns and skips jobs that are locked.
 */
import type { Sql } from "../../store/database.ts";
import type { JobRequest } from "../queue.ts";

/** Until the end of the transaction, no other transaction adds, replaces or ends jobs with these serial keys. */
export async function lockSerialKeys(keys: readonly string[], sql: Sql): Promise<void> {
  const sorted = [...new Set(keys)].toSorted();
  if (sorted.length > 0) await sql.query(LOCK_SERIAL_KEYS, [JSON.stringify(sorted)]);
}

/** Until the end of the transaction, no other transaction starts jobs of these groups. */
export async function lockGroups(groups: readonly string[], sql: Sql): Promise<void> {
  if (groups.length > 0) await sql.query(LOCK_GROUPS, [JSON.stringify(groups.toSorted())]);
}

/** Until the end of the transaction, no other one ends expired leases. False if another transaction holds the lock. */
export async function lockMaintenance(sql: Sql): Promise<boolean> {
  const [row] = await sql.query<{ is_ours: number }>(LOCK_MAINTENANCE);
  return row?.is_ours === 1;
}

/** Lock clause of a query that skips rows locked by other transactions. */
export const SKIP_LOCKED = "for update skip locked";

/** The name to lock for a job. Without a serial key, a job conflicts only with jobs that have the same key. */
export function lockKeyOf({ serialKey, key }: Pick<JobRequest, "serialKey" | "key">): string {
  return serialKey ?? key;
}

/** A query that locks the names in a JSON list in order. The caller sorts them. */
export function lockNames(kind: string, list: string): string {
  // If two names hash to the same number, they wait for each other needlessly, which does no harm.
  return `select pg_advisory_xact_lock(hashtextextended('kodiai ${kind} ' || name, 0)) from (
    select value as name from json_array_elements_text(${list}::json) with ordinality order by ordinality offset 0) as names`;
}

const LOCK_SERIAL_KEYS = lockNames("serial", "$1");
const LOCK_GROUPS = lockNames("group", "$1");
const LOCK_MAINTENANCE = "select pg_try_advisory_xact_lock(hashtextextended('kodiai upkeep', 0)) as is_ours";
