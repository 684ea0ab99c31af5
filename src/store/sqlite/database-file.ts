/**
 * Detects that the files of an open SQLite database were deleted or replaced. SQLite keeps writing to such a file, and
 * everything it writes is lost when the process exits.
 */
import { statfsSync, statSync } from "node:fs";
import { KodiaiError } from "../../base/errors.ts";

// Room for the largest delivery and for the growth of SQLite's log before a checkpoint.
const MIN_FREE_BYTES = 64_000_000;

export type DatabaseFile = {
  /** Throws if the database or its log was deleted or replaced since it was opened. Takes a few microseconds. */
  assertUnchanged(): void;
};

export function watchDatabaseFile(path: string): DatabaseFile {
  const opened = identify(path);
  // SQLite creates the log with the first transaction and keeps it while any process has the database open.
  let openedLog: string | null = null;
  return {
    assertUnchanged() {
      const log = identify(`${path}-wal`);
      openedLog ??= log;
      if (opened !== null && identify(path) === opened && log === openedLog) return;
      throw new KodiaiError("database", `The database ${path} was deleted or replaced while it was open`, {
        hint: "Stop all Kodiai processes, put the file and its -wal file back or restore a backup, then start Kodiai again.",
        retryable: true,
      });
    },
  };
}

/** Throws if the disk is almost full, because the next delivery might not fit. */
export function assertFreeSpace(path: string, minFreeBytes = MIN_FREE_BYTES): void {
  const { bavail, bsize } = statfsSync(path);
  const freeBytes = bavail * bsize;
  if (freeBytes >= minFreeBytes) return;
  const free = `${Math.floor(freeBytes / 1_000_000)} MB`;
  throw new KodiaiError("database", `The disk with the database ${path} is almost full: ${free} left`, {
    hint: `Free up disk space. Kodiai needs at least ${minFreeBytes / 1_000_000} MB.`,
    retryable: true,
  });
}

/** Null if the file doesn't exist. */
function identify(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev}/${stats.ino}`;
}
