/**
 * Puts whoever has something to run in line, for jobs that were written into the database by somebody else than the
 * queue: they came from another database, where the line was kept differently.
 */
import type { Database } from "../../store/database.ts";
import { openGroupTurns } from "./group-turns.ts";

/** Says that there is an entry in the line of this database; a copy of the row in another one has none. */
export const TURN_MARK = { table: "job_turns", column: "is_waiting", value: 0 } as const;

export type RestoreTurnsDeps = {
  readonly database: Database;
  readonly onError: (error: unknown) => void;
};

/** Those who stand there already keep their place. */
export async function restoreTurns({ database, onError }: RestoreTurnsDeps): Promise<void> {
  const line = await openGroupTurns(database, onError);
  try {
    await database.transaction((sql) => line.queueAll(sql));
  } finally {
    await line.close();
  }
}
