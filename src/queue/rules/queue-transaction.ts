/**
 * The context of one transaction that changes jobs. The rules of the queue are written once against it, for all engines.
 * Each engine adds the order in which groups take turns, and the locks between concurrent transactions.
 */
import type { Sql } from "../../store/database.ts";

/** Identifies the turn of a group: a group has one turn per lane. */
export type TurnKey = { readonly lane: string; readonly group: string };

export type QueueTransaction = {
  readonly sql: Sql;
  readonly nowMs: number;
  /** Groups for which this transaction made a job ready. The engine queues their turns before the commit. */
  readonly ready: TurnKey[];
  /** The ids of the jobs to come, if they are known before the jobs are inserted. */
  readonly newIds: number[];
};

export function openQueueTransaction(
  sql: Sql,
  nowMs: number,
  newIds: readonly number[] = [],
): QueueTransaction {
  return { sql, nowMs, ready: [], newIds: [...newIds] };
}
