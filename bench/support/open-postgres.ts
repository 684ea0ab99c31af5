/** Opens the queue on PostgreSQL as the app does. */
import { openPostgresQueue } from "../../src/queue/postgres/postgres-queue.ts";
import { type Queue, QUEUE_DEFAULTS } from "../../src/queue/queue.ts";
import { openStore, type Store } from "../../src/store/store.ts";

export type Opened = { readonly store: Store; readonly queue: Queue; readonly close: () => Promise<void> };

export async function openPostgres(url: string): Promise<Opened> {
  const store = await openStore(url);
  const { database, now, listen } = store;
  const queue = await openPostgresQueue({
    database,
    options: QUEUE_DEFAULTS,
    now,
    listen,
    onError: console.error,
  });
  return {
    store,
    queue,
    async close() {
      await queue.close();
      await store.close();
    },
  };
}
