/**
 * Copies SQLite databases while other processes write to them. A copy has the state of one moment, is one file without a log, has
 * passed SQLite's integrity check, and gets its name only when it's complete.
 */
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { KodiaiError } from "../../base/errors.ts";
import type { BackupControls, StoreBackup } from "../store-backup.ts";
import { explainSqliteError } from "./sqlite-errors.ts";

/** Four megabytes: Kodiai notices Ctrl-C between two steps, and a step copies at most this much at once. */
const PAGES_PER_STEP = 1_000;

/** A server that just started may be recovering its log. */
const BUSY_TIMEOUT_MS = 5_000;

const PRIVATE_MODE = 0o600;

export type FileToCopy = { readonly from: string; readonly to: string };

/** Never changes the databases, and doesn't care about the versions of their schemas. All copies appear, or none. */
export async function backUpFiles(
  pairs: readonly FileToCopy[],
  { overwrite, onProgress, signal }: BackupControls,
): Promise<readonly StoreBackup[]> {
  const onStep = (done: number, total: number): void => {
    signal.throwIfAborted();
    onProgress(done, total);
  };
  try {
    for (const { from, to } of pairs) {
      createPrivate(to);
      await copy(from, temporaryOf(to), onStep);
    }
    return pairs.map(({ to }) => {
      sync(temporaryOf(to));
      const { size } = statSync(temporaryOf(to));
      giveName(to, overwrite);
      return { path: to, bytes: size };
    });
  } finally {
    for (const { to } of pairs)
      for (const suffix of ["", "-journal", "-wal", "-shm"])
        rmSync(`${temporaryOf(to)}${suffix}`, { force: true });
  }
}

const temporaryOf = (to: string): string => `${to}.${process.pid}.tmp`;

async function copy(
  from: string,
  temporary: string,
  onStep: (done: number, total: number) => void,
): Promise<void> {
  const source = explained(from, () => new DatabaseSync(from, { readOnly: true, timeout: BUSY_TIMEOUT_MS }));
  try {
    // Without an open transaction, every write of another process makes SQLite copy everything again.
    explained(from, () => {
      source.exec("begin");
      source.prepare("select count(*) from sqlite_schema").get();
    });
    await backup(source, temporary, {
      rate: PAGES_PER_STEP,
      progress: ({ totalPages, remainingPages }) => onStep(totalPages - remainingPages, totalPages),
    }).catch((error: unknown) => {
      throw explainSqliteError(error, temporary);
    });
  } finally {
    source.close();
  }
  explained(from, () => makeWhole(from, temporary));
}

/** Makes the copy one file, and checks it. */
function makeWhole(from: string, temporary: string): void {
  const made = new DatabaseSync(temporary);
  try {
    made.exec("pragma journal_mode = delete");
    const { integrity_check: result } = made.prepare("pragma integrity_check(1)").get() ?? {};
    if (result === "ok") return;
    throw new KodiaiError("database", `${from} is damaged: ${String(result)}`, {
      hint: "No backup was written. Keep your earlier backups. SQLite's `.recover` may save the rest of the file.",
    });
  } finally {
    made.close();
  }
}

function createPrivate(to: string): void {
  try {
    closeSync(openSync(temporaryOf(to), "wx", PRIVATE_MODE));
  } catch (error) {
    throw unwritable(to, error);
  }
}

/** A link fails if the name is taken, even if another process took it a moment ago. */
function giveName(to: string, overwrite: boolean): void {
  try {
    if (overwrite) renameSync(temporaryOf(to), to);
    else linkSync(temporaryOf(to), to);
  } catch (error) {
    throw unwritable(to, error);
  }
  sync(dirname(to));
}

/** Without this, a power cut could leave the name of an empty file. */
function sync(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function unwritable(to: string, error: unknown): KodiaiError {
  const code = error instanceof Error && "code" in error ? error.code : "";
  if (code === "EEXIST") {
    return new KodiaiError("usage", `${to} already exists`, {
      hint: "Use --force to overwrite it.",
      cause: error,
    });
  }
  return new KodiaiError(
    "io",
    `could not write ${to}: ${error instanceof Error ? error.message : String(error)}`,
    {
      hint: "Check that the folder exists, its permissions and the free disk space.",
      cause: error,
    },
  );
}

function explained<Value>(path: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw explainSqliteError(error, path);
  }
}
