/** The databases that store and queue are held to their contracts on. A list, so that every suite is a loop over it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPostgresQueue } from "../../../src/queue/postgres/postgres-queue.ts";
import { createSqliteQueue } from "../../../src/queue/sqlite/sqlite-queue.ts";
import { openStore, type Store } from "../../../src/store/store.ts";
import { makeDatabase } from "../postgres/shared-cluster.ts";
import type { Queue, QueueOptions } from "../../../src/queue/queue.ts";

export type EnginePlace = { readonly url: string; remove(): Promise<void> };

export type Engine = {
  readonly name: string;
  /** Address of a new place, and how to remove it. `isEmpty`: nothing is there, not even tables. */
  makePlace(options?: { readonly isEmpty?: boolean }): Promise<EnginePlace>;
  /** `now` stands for the clock that all processes agree on. */
  openQueue(store: Store, options: QueueOptions, now: () => number): Promise<Queue>;
};

const sqlite: Engine = {
  name: "sqlite",
  async makePlace() {
    const folder = mkdtempSync(join(tmpdir(), "kodiai-store-"));
    return {
      url: `sqlite:${join(folder, "data", "kodiai.db")}`,
      remove: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
  openQueue: async ({ database }, options, now) => createSqliteQueue(database, options, now),
};

const postgres: Engine = {
  name: "postgres",
  makePlace: ({ isEmpty = false } = {}) => makeDatabase({ isMigrated: !isEmpty }),
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
  if (engine === undefined) throw new Error(`no engine is called ${name}`);
  return engine;
}

/** Runs a test on a new store, and removes it afterwards. */
export async function withStore(
  engine: Engine,
  work: (store: Store, url: string) => Promise<void>,
): Promise<void> {
  const place = await engine.makePlace();
  try {
    const store = await openStore(place.url);
    try {
      await work(store, place.url);
    } finally {
      await store.close();
    }
  } finally {
    await place.remove();
  }
}
