/** Checks whether a large file is binary from its first bytes, as git does. */
import type { DiffContext, SizedEntry } from "./list-changed.ts";
import { streamUntil } from "./run-git.ts";
import { diskPath } from "./work-tree.ts";

/** Git checks the same number of bytes. */
const SNIFFED_BYTES = 8_000;

/** Unpacking 500 MB takes a few seconds. */
const MAX_SNIFFING_SECONDS = 10;

/** Each check is a process that may have to unpack the whole file. */
const MAX_SNIFFED = 20;

/** Checks each blob once. Beyond the limit the answer is no. */
export function createBinaryCheck(git: DiffContext): (entry: SizedEntry) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return async ({ path, oldId, newId, newMode }) => {
    const key = newMode === null ? oldId : (newId ?? path);
    if (key === null) return false;
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size >= MAX_SNIFFED) return false;
    const sniffing = key === path ? readStart(path, git) : readBlobStart(key, git);
    const isBinary = sniffing.then((start) => start.slice(0, SNIFFED_BYTES).includes("\0"));
    known.set(key, isBinary);
    return isBinary;
  };
}

/** Reads the start of a blob. */
async function readBlobStart(id: string, git: DiffContext): Promise<string> {
  // Makes git stream large blobs from the pack, where possible, instead of unpacking them in memory.
  const settings = [...(git.settings ?? []), "core.bigFileThreshold=1m"];
  const limited = { ...git, settings, maxCpuSeconds: MAX_SNIFFING_SECONDS };
  let start = "";
  await streamUntil(["cat-file", "blob", id], limited, (chunk) => {
    start += chunk;
    return start.length >= SNIFFED_BYTES;
  });
  return start;
}

async function readStart(path: string, { root }: DiffContext): Promise<string> {
  if (root === null) return "";
  const { constants, promises } = process.getBuiltinModule("node:fs");
  const handle = await promises
    .open(diskPath(root, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    // The file may have been deleted in the meantime.
    .catch(() => null);
  if (handle === null) return "";
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0);
    return buffer.toString("latin1", 0, bytesRead);
  } finally {
    await handle.close();
  }
}
