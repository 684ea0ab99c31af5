/**
 * Counts rejected requests and writes the counts periodically. A sender of invalid requests must not be able to trigger a
 * database write, or a log line, per request.
 */
import { messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { Database } from "../store/database.ts";
import { recordRejections } from "../store/repositories/rejections.ts";

/** Long enough to combine many rejections in one write, short enough to show up quickly. */
const WRITE_AFTER_MS = 1_000;

export type Rejections = {
  add(reason: string): void;
  /** Writes pending counts. */
  flush(): Promise<void>;
};

export type RejectionDeps = {
  readonly database: Database;
  readonly now: () => number;
  readonly log: Log;
  readonly onRejected: (reason: string) => void;
};

export function createRejections({ database, now, log, onRejected }: RejectionDeps): Rejections {
  let counts = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  const flush = async (): Promise<void> => {
    timer = null;
    const pending = counts;
    counts = new Map();
    if (pending.size === 0) return;
    for (const [reason, count] of pending) log.warn("deliveries rejected", { reason, count });
    try {
      await database.transaction((sql) => recordRejections(pending, now(), sql));
    } catch (error) {
      log.warn("could not record rejections", {
        error: messageOf(error),
      });
    }
  };
  return {
    add(reason) {
      onRejected(reason);
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
      timer ??= setTimeout(() => void flush(), WRITE_AFTER_MS).unref();
    },
    async flush() {
      if (timer !== null) clearTimeout(timer);
      await flush();
    },
  };
}
