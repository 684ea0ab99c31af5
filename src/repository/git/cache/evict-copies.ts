/** Keeps the cache within its size: the copies that were used longest ago go first, and never one that is in use. */
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { copyOf, discardCopy, listCopies } from "./cached-copy.ts";
import { tryLock } from "./file-lock.ts";

/** A copy has a few files for each fetch, and is made anew before it has thousands. */
const MAX_MEASURED_FILES = 20_000;

type Measured = { readonly id: string; readonly bytes: number; readonly usedAtMs: number };

/** Never fails: a copy that cannot be measured or deleted is left for the next time. */
export async function evictCopies(cacheFolder: string, maxBytes: number): Promise<void> {
  const { ids, discarded } = await listCopies(cacheFolder).catch(() => ({ ids: [], discarded: [] }));
  for (const path of discarded) await rm(path, { recursive: true, force: true }).catch(() => {});
  const copies: Measured[] = [];
  for (const id of ids) copies.push(await measure(cacheFolder, id));
  let total = copies.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { id, bytes } of copies.toSorted((a, b) => a.usedAtMs - b.usedAtMs)) {
    if (total <= maxBytes) return;
    if (await evict(cacheFolder, id)) total -= bytes;
  }
}

async function measure(cacheFolder: string, id: string): Promise<Measured> {
  const { folder, usePath } = copyOf(cacheFolder, id);
  const used = await stat(usePath).catch(() => null);
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  let bytes = 0;
  for (const name of names.slice(0, MAX_MEASURED_FILES)) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found?.isFile() === true) bytes += found.size;
  }
  return { id, bytes, usedAtMs: used?.mtimeMs ?? 0 };
}

/** Both locks are tried and neither waited for, so that two processes cannot wait for each other. */
async function evict(cacheFolder: string, id: string): Promise<boolean> {
  const copy = copyOf(cacheFolder, id);
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
