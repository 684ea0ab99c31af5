/** Opens the queue for the database's dialect. */
import type { Store } from "../store/store.ts";
import type { Queue, QueueOptions } from "./queue.ts";

export type QueueStore = Pick<Store, "database" | "now" | "listen">;

/** `onError` receives errors of operations that are retried automatically. */
export async function openQueue(
  { database, now, listen }: QueueStore,
  options: QueueOptions,
  onError: (error: unknown) => void,
): Promise<Queue> {
  if (database.dialect.name === "sqlite") {
    const { createSqliteQueue } = await import("./sqlite/sqlite-queue.ts");
    return createSqliteQueue(database, options, now);
  }
  const { openPostgresQueue } = await import("./postgres/postgres-queue.ts");
  return openPostgresQueue({ database, options, now, listen, onError });
}
