/**
 * Whether the files of an open SQLite database are still the ones in its folder. SQLite goes on writing to a file that was
 * deleted or replaced, and everything it writes is gone when the process ends.
 */
import { statfsSync, statSync } from "node:fs";
import { KodiaiError } from "../../base/errors.ts";

// The largest delivery, and what SQLite's log grows by before it is written back.
const MIN_FREE_BYTES = 64_000_000;

export type FileInPlace = {
  /** Throws when the database or its log was deleted or replaced since they were opened. Costs some microseconds. */
  assertInPlace(): void;
};

export function watchFile(path: string): FileInPlace {
  const opened = identify(path);
  // SQLite makes it with the first transaction and keeps it while anybody has the database open.
  let openedLog: string | null = null;
  return {
    assertInPlace() {
      const log = identify(`${path}-wal`);
      openedLog ??= log;
      if (opened !== null && identify(path) === opened && log === openedLog) return;
      throw new KodiaiError("database", `The database ${path} was deleted or replaced while it was open`, {
        hint: "Stop every Kodiai process, put the file back with its -wal file, or restore a backup, and start again.",
        retryable: true,
      });
    },
  };
}

/** Throws when the disk is almost full: the next delivery might not fit. */
export function assertFreeSpace(path: string, minFreeBytes = MIN_FREE_BYTES): void {
  const { bavail, bsize } = statfsSync(path);
  const freeBytes = bavail * bsize;
  if (freeBytes >= minFreeBytes) return;
  const free = `${Math.floor(freeBytes / 1_000_000)} MB`;
  throw new KodiaiError("database", `The disk of the database ${path} is almost full: ${free} are left`, {
    hint: `Free space on it; Kodiai needs ${minFreeBytes / 1_000_000} MB.`,
    retryable: true,
  });
}

/** Null when there is no file of that name. */
function identify(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev}/${stats.ino}`;
}
