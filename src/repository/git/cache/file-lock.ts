/**
 * Locks that hold across processes and end with the process that holds them, however it ends: locks of SQLite on an
 * empty database that is never written to. SQLite sees to it that they also hold between two takers of one process. The
 * file must never be deleted: whoever opened it before would hold a lock on nothing.
 */
import { setTimeout as delay } from "node:timers/promises";
import { DatabaseSync } from "node:sqlite";
import { KodiaiError } from "../../../base/errors.ts";

/** Asking costs 50 microseconds; nobody notices a twentieth of a second before a fetch. */
const POLL_MS = 50;

/** SQLite's code for "somebody else has it". */
const BUSY = 5;

export type Lock = { release(): void };

/** Waits until nobody else holds the lock. */
export async function takeLock(path: string, signal: AbortSignal): Promise<Lock> {
  for (;;) {
    const lock = signal.aborted ? null : tryLock(path);
    if (lock !== null) return lock;
    try {
      await delay(POLL_MS, undefined, { signal });
    } catch (error) {
      throw new KodiaiError("cancelled", "stopped while waiting for a repository", {
        hint: "Nothing needs to be done.",
        cause: error,
      });
    }
  }
}

/** Alone, or null at once when anybody holds it or shares it. */
export function tryLock(path: string): Lock | null {
  return begin(path, "BEGIN EXCLUSIVE");
}

/** Together with others who share it; null at once when somebody holds it alone. */
export function shareLock(path: string): Lock | null {
  // The transaction takes its lock with the first read.
  return begin(path, "BEGIN; SELECT count(*) FROM sqlite_schema");
}

function begin(path: string, sql: string): Lock | null {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { timeout: 0 });
    database.exec(sql);
  } catch (error) {
    database?.close();
    if (error instanceof Error && "errcode" in error && error.errcode === BUSY) return null;
    throw new KodiaiError("io", "a lock of the repository cache could not be taken", {
      hint: "Check that the folder of the repository cache is on a local disk and may be written to.",
      cause: error,
    });
  }
  const held = database;
  return {
    release() {
      if (held.isOpen) held.close();
    },
  };
}
