/**
 * Writes many small things with few commits: what is added within one turn of the event loop, or while another
 * transaction is written, goes into one transaction.
 * Nothing is acknowledged before it is on disk.
 */
import { KodiaiError } from "../base/errors.ts";
import { yieldToEventLoop } from "../base/event-loop.ts";
import type { Database, Sql } from "./database.ts";

// One transaction of this size takes some milliseconds; a larger one would make its first item wait for its last.
const MAX_ITEMS_PER_TRANSACTION = 200;

export type GroupCommit<Item, Result> = {
  /** Resolves when the item has been committed. Rejects when it could not be written, even alone. */
  add(item: Item): Promise<Result>;
};

type Entry<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

/** `write` gives one result per item, in their order. It may be called again for an item whose transaction failed. */
export function createGroupCommit<Item, Result>(
  database: Database,
  write: (items: readonly Item[], sql: Sql) => Promise<readonly Result[]>,
): GroupCommit<Item, Result> {
  const gathered: Entry<Item, Result>[] = [];
  let isCommitting = false;

  /** One transaction at a time: what comes while one is written goes into the next, and none waits for another's locks. */
  async function commitGathered(): Promise<void> {
    isCommitting = true;
    do {
      await yieldToEventLoop();
      await commit(gathered.splice(0, MAX_ITEMS_PER_TRANSACTION));
    } while (gathered.length > 0);
    isCommitting = false;
  }

  /** Never rejects: each entry hears about itself. */
  async function commit(entries: readonly Entry<Item, Result>[]): Promise<void> {
    let results: readonly Result[];
    try {
      results = await database.transaction((sql) =>
        writeAll(
          entries.map(({ item }) => item),
          sql,
        ),
      );
    } catch (error) {
      // A database that is away would not answer them one by one either.
      const isAway = error instanceof KodiaiError && error.retryable;
      if (entries.length === 1 || isAway) for (const entry of entries) entry.reject(error);
      // One bad item must not cost its neighbours their place: each is tried alone, once.
      else await Promise.all(entries.map((entry) => commit([entry])));
      return;
    }
    // `writeAll` has made sure that there is a result for each.
    for (const [index, entry] of entries.entries()) entry.resolve(results[index] as Result);
  }

  async function writeAll(items: readonly Item[], sql: Sql): Promise<readonly Result[]> {
    const results = await write(items, sql);
    if (results.length !== items.length) {
      throw new Error(`${items.length} items were written with ${results.length} results`);
    }
    return results;
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        gathered.push({ item, resolve, reject });
        if (!isCommitting) void commitGathered();
      }),
  };
}
