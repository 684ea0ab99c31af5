/** Lists the database engines. Each contract suite of the store and the queue loops over them. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPostgresQueue } from "../../../src/queue/postgres/postgres-queue.ts";
import { createSqliteQueue } from "../../../src/queue/sqlite/sqlite-queue.ts";
import { openStore, type Store } from "../../../src/store/store.ts";
import { makeDatabase } from "../postgres/shared-cluster.ts";
import type { Queue, QueueOptions } from "../../../src/queue/queue.ts";

export type TestDatabase = { readonly url: string; remove(): Promise<void> };

export type Engine = {
  readonly name: string;
  /** How long a job that is due may still be overtaken by jobs that were ready before. */
  readonly dueDelayMs: number;
  /** Creates a database for one test. With `isEmpty` it has no tables yet. */
  createDatabase(options?: { readonly isEmpty?: boolean }): Promise<TestDatabase>;
  /** `now` replaces the database's clock. */
  openQueue(store: Store, options: QueueOptions, now: () => number): Promise<Queue>;
};

/** The files of a new SQLite store by name. They are made once in a process, because running all migrations takes longer than most tests. */
let migrated: Promise<ReadonlyMap<string, Buffer>> | null = null;

async function migrate(): Promise<ReadonlyMap<string, Buffer>> {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-store-"));
  const store = await openStore(`sqlite:${join(folder, "kodiai.db")}`);
  await store.close();
  const files = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
  rmSync(folder, { recursive: true });
  return files;
}

const sqlite: Engine = {
  name: "sqlite",
  dueDelayMs: 0,
  async createDatabase({ isEmpty = false } = {}) {
    const files = isEmpty ? [] : await (migrated ??= migrate());
    const folder = mkdtempSync(join(tmpdir(), "kodiai-store-"));
    const data = join(folder, "data");
    if (!isEmpty) mkdirSync(data, { mode: 0o700 });
    for (const [name, bytes] of files) writeFileSync(join(data, name), bytes, { mode: 0o600 });
    return {
      url: `sqlite:${join(data, "kodiai.db")}`,
      remove: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
  openQueue: async ({ database }, options, now) => createSqliteQueue(database, options, now),
};

const postgres: Engine = {
  name: "postgres",
  // While there is work, this engine looks for due jobs this often.
  dueDelayMs: 200,
  createDatabase: ({ isEmpty = false } = {}) => makeDatabase({ isMigrated: !isEmpty }),
  openQueue: ({ database, listen }, options, now) =>
    openPostgresQueue({
      database,
      options,
      now,
      listen,
      onError(error) {
        throw error;
      },
    }),
};

export const ENGINES: readonly Engine[] = [sqlite, postgres];

export function engineNamed(name: string): Engine {
  const engine = ENGINES.find((each) => each.name === name);
  if (engine === undefined) throw new Error(`there is no engine named ${name}`);
  return engine;
}

/** Runs a test on a new store and removes the store afterwards. */
export async function withStore(
  engine: Engine,
  work: (store: Store, url: string) => Promise<void>,
): Promise<void> {
  const created = await engine.createDatabase();
  try {
    const store = await openStore(created.url);
    try {
      await work(store, created.url);
    } finally {
      await store.close();
    }
  } finally {
    await created.remove();
  }
}
