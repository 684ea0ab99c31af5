/** A database whose transactions can be paused at a chosen point, so that others run in between. */
import { setImmediate } from "node:timers/promises";
import type { Database, Sql } from "../../../src/store/database.ts";

export type Gate = {
  /** Resolves when a transaction reaches the gate, where it waits until the gate is opened. */
  readonly reached: Promise<void>;
  open(): void;
};

export type GatedDatabase = {
  readonly database: Database;
  /** Pauses the next transaction at a statement with this text, or at its commit. */
  readonly holdBefore: (point: string) => Gate;
};

export const COMMIT = "commit";

export function gateDatabase(real: Database): GatedDatabase {
  const gates = new Map<string, () => Promise<void>>();

  async function pass(text: string): Promise<void> {
    const found = [...gates].find(([point]) => text.includes(point));
    if (found === undefined) return;
    const [point, wait] = found;
    gates.delete(point);
    await wait();
  }

  const gateSql = (sql: Sql): Sql => ({
    async query(text, params) {
      await pass(text);
      return sql.query(text, params);
    },
  });

  return {
    database: {
      ...real,
      transaction: (work) =>
        real.transaction(async (sql) => {
          const value = await work(gateSql(sql));
          await pass(COMMIT);
          return value;
        }),
    },
    holdBefore(point) {
      const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      gates.set(point, () => {
        reached.resolve();
        return opened.promise;
      });
      return { reached: reached.promise, open: opened.resolve };
    },
  };
}

/** Resolves when a statement in this database waits for a lock, or when the statement that should wait has finished. */
export async function untilBlocked(work: Promise<unknown>, database: Database): Promise<void> {
  const over = work.then(
    () => true,
    () => true,
  );
  for (;;) {
    const waiting = await database.query(
      "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (waiting.length > 0 || (await Promise.race([over, setImmediate(false)]))) return;
  }
}
