/**
 * Locks across processes that the operating system releases when their process ends, even in a crash: SQLite locks on an
 * empty database that is never written. SQLite makes them work within one process too. The file must never be deleted,
 * because processes that have it open would then lock a different file.
 */
import { setTimeout as delay } from "node:timers/promises";
import { DatabaseSync } from "node:sqlite";
import { KodiaiError } from "../../../base/errors.ts";

/** A try costs 50 microseconds, and a delay of 50 ms doesn't matter before a fetch. */
const POLL_MS = 50;

/** SQLite's error code for a lock that is held elsewhere. */
const BUSY = 5;

/** With a journal on disk, SQLite would need room for it, and no copy could be evicted from a full disk. */
const EXCLUSIVE = "PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE";

export type Lock = { release(): void };

/** Waits until the lock is free and takes it exclusively. */
export async function acquireLock(path: string, signal: AbortSignal): Promise<Lock> {
  for (;;) {
    const lock = signal.aborted ? null : tryLock(path);
    if (lock !== null) return lock;
    try {
      await delay(POLL_MS, undefined, { signal });
    } catch (error) {
      throw new KodiaiError("cancelled", "stopped while waiting for a repository", {
        hint: "No action is needed.",
        cause: error,
      });
    }
  }
}

/** Takes the lock exclusively. Returns null at once if it is held or shared. */
export function tryLock(path: string): Lock | null {
  return begin(path, EXCLUSIVE);
}

/** Takes the lock as shared. Returns null at once if it is held exclusively. */
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
    throw new KodiaiError("io", "a lock of the repository cache couldn't be acquired", {
      hint: "Check that the folder of the repository cache is writable and on a local disk.",
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
