/**
 * Keeps the cache within its size limit: evicts the least recently used copies, and never one that is in use. Copies unused
 * for a month are evicted too, because a machine doesn't learn when the app is removed from a repository.
 */
import { existsSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { copyOf, discardCopy, listCopies } from "./cached-copy.ts";
import { tryLock } from "./file-lock.ts";

/** A copy has a few files per fetch and is recreated before it has thousands. */
const MAX_MEASURED_FILES = 20_000;

const MAX_IDLE_MS = 30 * 24 * 60 * 60 * 1_000;

type Measured = { readonly id: string; readonly bytes: number; readonly usedAtMs: number };

/** Keeps copies up to the size limit, or half of what there is, because the disk is full. True if a copy was evicted. */
export type Evict = (keep?: "limit" | "half") => Promise<boolean>;

/**
 * Returns a function that evicts copies. It measures a copy again only after the copy was used, because measuring every file
 * of a thousand copies takes seconds.
 */
export function createEviction(cacheFolder: string, maxBytes: number): Evict {
  let known: ReadonlyMap<string, Measured> = new Map();

  const measure = async (id: string): Promise<Measured & { readonly isFinal: boolean }> => {
    const { usePath } = copyOf(cacheFolder, id);
    const usedAtMs = (await stat(usePath).catch(() => null))?.mtimeMs ?? 0;
    const before = known.get(id);
    if (before?.usedAtMs === usedAtMs) return { ...before, isFinal: true };
    // A copy that is being fetched into still grows.
    const isFinal = isLockFree(cacheFolder, id);
    return { id, usedAtMs, bytes: await sizeOf(cacheFolder, id), isFinal };
  };

  /** Never fails: a copy that can't be measured or deleted is left for the next time. */
  return async (keep = "limit") => {
    const { ids, discarded } = await listCopies(cacheFolder).catch(() => ({ ids: [], discarded: [] }));
    for (const path of discarded) await rm(path, { recursive: true, force: true }).catch(() => {});
    const copies: Awaited<ReturnType<typeof measure>>[] = [];
    for (const id of ids) copies.push(await measure(id));
    known = new Map(copies.filter(({ isFinal }) => isFinal).map((copy) => [copy.id, copy]));
    let total = copies.reduce((sum, { bytes }) => sum + bytes, 0);
    const keptBytes = keep === "limit" ? maxBytes : Math.min(maxBytes, total / 2);
    let hasEvicted = false;
    for (const { id, bytes, usedAtMs } of copies.toSorted((a, b) => a.usedAtMs - b.usedAtMs)) {
      if (total <= keptBytes && Date.now() - usedAtMs < MAX_IDLE_MS) break;
      if (!(await evictCopy(cacheFolder, id))) continue;
      total -= bytes;
      hasEvicted = true;
    }
    return hasEvicted;
  };
}

/** The size of all copies on disk. */
export async function measureCopies(cacheFolder: string): Promise<number> {
  const { ids } = await listCopies(cacheFolder).catch(() => ({ ids: [] }));
  let bytes = 0;
  for (const id of ids) bytes += await sizeOf(cacheFolder, id);
  return bytes;
}

function isLockFree(cacheFolder: string, id: string): boolean {
  try {
    const lock = tryLock(copyOf(cacheFolder, id).lockPath);
    lock?.release();
    return lock !== null;
  } catch {
    return false;
  }
}

async function sizeOf(cacheFolder: string, id: string): Promise<number> {
  const { folder } = copyOf(cacheFolder, id);
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  let bytes = 0;
  for (const name of names.slice(0, MAX_MEASURED_FILES)) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found?.isFile() === true) bytes += found.size;
  }
  return bytes;
}

/**
 * Returns true if the copy no longer exists. Tries both locks without waiting, so that two processes can't deadlock.
 */
export async function evictCopy(cacheFolder: string, id: string): Promise<boolean> {
  const copy = copyOf(cacheFolder, id);
  if (!existsSync(copy.folder)) return true;
  const lock = tryLock(copy.lockPath);
  if (lock === null) return false;
  try {
    const use = tryLock(copy.usePath);
    if (use === null) return false;
    try {
      await discardCopy(copy);
      return true;
    } finally {
      use.release();
    }
  } catch {
    return false;
  } finally {
    lock.release();
  }
}
