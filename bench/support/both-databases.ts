/** A new database of each engine, filled at the same time: PostgreSQL works in other processes. */
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
  fill: (store: Store) => Promise<Opened>,
): Promise<BothDatabases<Opened>> {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-bench-"));
  const cluster = await startCluster({ isDurable: true });
  const remove = async (): Promise<void> => {
    await cluster.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    // While SQLite is filled, nothing else runs for seconds at a time, in which a connection would time out.
    const postgres = await openStore(cluster.url("postgres"));
    const sqlite = await openStore(`sqlite:${join(folder, "kodiai.db")}`);
    return { opened: await Promise.all([fill(sqlite), fill(postgres)]), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
