/** A new database of each engine, filled one after the other. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type Store } from "../../src/store/store.ts";
import { startCluster } from "../../test/support/postgres/cluster.ts";

export type BothDatabases<Opened> = {
  /** SQLite's, then PostgreSQL's. */
  readonly opened: readonly [Opened, Opened];
  readonly remove: () => Promise<void>;
};

export async function fillBothDatabases<Opened>(
  fill: (store: Store, url: string) => Promise<Opened>,
): Promise<BothDatabases<Opened>> {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-bench-"));
  const cluster = await startCluster({ isDurable: true });
  const remove = async (): Promise<void> => {
    await cluster.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    // Not at the same time: while SQLite is filled, nothing else runs for seconds, in which PostgreSQL's connections time out.
    const file = `sqlite:${join(folder, "kodiai.db")}`;
    const sqlite = await fill(await openStore(file), file);
    const server = cluster.url("postgres");
    const postgres = await fill(await openStore(server), server);
    return { opened: [sqlite, postgres], remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
