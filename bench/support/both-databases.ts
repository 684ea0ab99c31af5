/** A new database of each engine, filled at the same time: PostgreSQL works in other processes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster } from "../../test/support/postgres/cluster.ts";

export type BothDatabases<Opened> = {
  /** SQLite's, then PostgreSQL's. */
  readonly opened: readonly [Opened, Opened];
  readonly remove: () => Promise<void>;
};

export async function fillBothDatabases<Opened>(
  fill: (url: string) => Promise<Opened>,
): Promise<BothDatabases<Opened>> {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-bench-"));
  const cluster = await startCluster({ isDurable: true });
  const remove = async (): Promise<void> => {
    await cluster.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const [sqlite, postgres] = [`sqlite:${join(folder, "kodiai.db")}`, cluster.url("postgres")];
    return { opened: await Promise.all([fill(sqlite), fill(postgres)]), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
