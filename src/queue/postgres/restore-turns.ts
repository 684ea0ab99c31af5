/**
 * Queues turns for jobs that were copied into the database rather than enqueued. They come from another engine, which
 * keeps its turns differently.
 */
import type { Database } from "../../store/database.ts";
import { openGroupTurns } from "./group-turns.ts";

/** The column that records an entry in pg-boss. A copied row has no such entry, so the column is reset. */
export const WAITING_COLUMN = { table: "job_turns", column: "is_waiting", value: 0 } as const;

export type RestoreTurnsDeps = {
  readonly database: Database;
  readonly onError: (error: unknown) => void;
};

/** Groups that already have a turn keep their position. */
export async function restoreTurns({ database, onError }: RestoreTurnsDeps): Promise<void> {
  const turns = await openGroupTurns(database, onError);
  try {
    await database.transaction((sql) => turns.queueMissing(sql));
  } finally {
    await turns.close();
  }
}
