/** Keeps the folder of all code indexes small: files over their limit go, and then the ones that weren't used for longest. */
import type { Stats } from "node:fs";

/** A row takes about 2 KB, so this is enough for 200,000 files. */
const MAX_FILE_BYTES = 512 * 1024 * 1024;

/** All repositories together. */
const MAX_FOLDER_BYTES = 1024 * 1024 * 1024;

export type EvictionLimits = { readonly maxFileBytes: number; readonly maxFolderBytes: number };

export const EVICTION_LIMITS: EvictionLimits = {
  maxFileBytes: MAX_FILE_BYTES,
  maxFolderBytes: MAX_FOLDER_BYTES,
};

/** SQLite's files next to a database. */
const SUFFIXES = ["", "-wal", "-shm"];

export function removeFactsFile(path: string): void {
  const { rmSync } = process.getBuiltinModule("node:fs");
  for (const suffix of SUFFIXES) rmSync(`${path}${suffix}`, { force: true });
}

/** `path` is the file in use: it stays unless it is over its own limit, and counts as used now. Another process may do the same. */
export function evictFiles(folder: string, path: string, limits: EvictionLimits): void {
  const { readdirSync, utimesSync } = process.getBuiltinModule("node:fs");
  if (sizeOf(path) > limits.maxFileBytes) removeFactsFile(path);
  else if (statOf(path) !== null) utimesSync(path, new Date(), new Date());
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".db"))
    .map((name) => `${folder}/${name}`)
    .map((file) => ({
      file,
      bytes: sizeOf(file),
      usedMs: file === path ? Infinity : (statOf(file)?.mtimeMs ?? 0),
    }))
    .toSorted((one, other) => other.usedMs - one.usedMs);
  let bytes = 0;
  for (const each of files) {
    bytes += each.bytes;
    if (bytes > limits.maxFolderBytes && each.file !== path) removeFactsFile(each.file);
  }
}

function statOf(path: string): Stats | null {
  return process.getBuiltinModule("node:fs").statSync(path, { throwIfNoEntry: false }) ?? null;
}

function sizeOf(path: string): number {
  return SUFFIXES.reduce((sum, suffix) => sum + (statOf(`${path}${suffix}`)?.size ?? 0), 0);
}
