/**
 * Groups small writes into few commits. Items added in the same tick, or while another transaction is running, share a
 * transaction. An item is acknowledged only once it is on disk.
 */
import { count } from "../base/count.ts";
import { KodiaiError } from "../base/errors.ts";
import { yieldToEventLoop } from "../base/event-loop.ts";
import type { Database, Sql } from "./database.ts";

// A transaction of this size takes a few milliseconds. In a larger one the first item would wait too long for the last.
const MAX_ITEMS_PER_TRANSACTION = 200;

export type GroupCommit<Item, Result> = {
  /** Resolves when the item is committed. Rejects if it can't be written, even on its own. */
  add(item: Item): Promise<Result>;
};

type Entry<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

/** `write` returns one result per item, in order. It may be called again for an item whose transaction failed. */
export function createGroupCommit<Item, Result>(
  database: Database,
  write: (items: readonly Item[], sql: Sql) => Promise<readonly Result[]>,
): GroupCommit<Item, Result> {
  const pending: Entry<Item, Result>[] = [];
  let isCommitting = false;

  /** Runs one transaction at a time, so that none waits for another's locks. Items that arrive meanwhile go into the next. */
  async function commitPending(): Promise<void> {
    isCommitting = true;
    do {
      await yieldToEventLoop();
      await commit(pending.splice(0, MAX_ITEMS_PER_TRANSACTION));
    } while (pending.length > 0);
    isCommitting = false;
  }

  /** Never rejects: each entry gets its own result or error. */
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
      // If the database is unavailable, retrying items one by one would fail too.
      const isUnavailable = error instanceof KodiaiError && error.retryable;
      if (entries.length === 1 || isUnavailable) for (const entry of entries) entry.reject(error);
      // One bad item must not fail the others, so each is retried once on its own.
      else await Promise.all(entries.map((entry) => commit([entry])));
      return;
    }
    // `writeAll` guarantees a result for each entry.
    for (const [index, entry] of entries.entries()) entry.resolve(results[index] as Result);
  }

  async function writeAll(items: readonly Item[], sql: Sql): Promise<readonly Result[]> {
    const results = await write(items, sql);
    if (results.length !== items.length) {
      throw new Error(`Expected ${count(items.length, "result")} from the writer, got ${results.length}.`);
    }
    return results;
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        pending.push({ item, resolve, reject });
        if (!isCommitting) void commitPending();
      }),
  };
}
