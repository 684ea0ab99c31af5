/** The databases that store and queue are held to their contracts on. A list, so that every suite is a loop over it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqliteQueue } from "../../../src/queue/sqlite-queue.ts";
import { openStore, type Store } from "../../../src/store/store.ts";
import type { Queue, QueueOptions } from "../../../src/queue/queue.ts";
import type { Database } from "../../../src/store/database.ts";

export type Engine = {
  readonly name: string;
  /** Address of a new, empty place, and how to remove it. */
  makePlace(): { readonly url: string; remove(): void };
  createQueue(database: Database, options: QueueOptions, now: () => number): Queue;
};

const sqlite: Engine = {
  name: "sqlite",
  makePlace() {
    const folder = mkdtempSync(join(tmpdir(), "kodiai-store-"));
    return {
      url: `sqlite:${join(folder, "data", "kodiai.db")}`,
      remove: () => rmSync(folder, { recursive: true, force: true }),
    };
  },
  createQueue: createSqliteQueue,
};

export const ENGINES: readonly Engine[] = [sqlite];

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
  const place = engine.makePlace();
  try {
    const store = await openStore(place.url);
    try {
      await work(store, place.url);
    } finally {
      await store.close();
    }
  } finally {
    place.remove();
  }
}
