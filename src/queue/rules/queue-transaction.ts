/**
 * What one transaction has in hand while it changes jobs. The rules of the queue are written once, over these, for all
 * engines; an engine adds in which order groups get their turns, and what keeps two transactions apart.
 */
import type { Sql } from "../../store/database.ts";

/** Where a group stands in line: once for each lane. */
export type TurnKey = { readonly lane: string; readonly group: string };

export type QueueTransaction = {
  readonly sql: Sql;
  readonly nowMs: number;
  /** Places whose groups have a job that may run since this transaction: the engine puts them in line before its end. */
  readonly ready: TurnKey[];
};

export function openQueueTransaction(sql: Sql, nowMs: number): QueueTransaction {
  return { sql, nowMs, ready: [] };
}
