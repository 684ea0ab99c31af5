/**
 * Temporary folders that may contain the code under review. A folder is removed after use; a process that is killed can't do that, so
 * the name says which process made it, and the next start of Kodiai removes the folders of processes that are gone.
 */
import { lstat, mkdtemp, readdir, readFile, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type ScratchPurpose = "oxlint" | "agent" | "run";

const NAME = /^kodiai-(?:oxlint|agent|run)-(?:(\d+)\.(\d+)\.(\d+)-)?/;

/** No review takes this long. It decides about folders whose process can't be looked at. */
const STALE_AFTER_MS = 24 * 60 * 60 * 1_000;

/** A process that was just killed may still have a write in flight. */
const REMOVE_TRIES = 5;

/** Only this user can open it. */
export async function createScratchFolder(purpose: ScratchPurpose): Promise<string> {
  const owner = [await processSpace(), process.pid, (await startOf(process.pid)) ?? 0].join(".");
  return mkdtemp(join(tmpdir(), `kodiai-${purpose}-${owner}-`));
}

export function removeScratchFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: REMOVE_TRIES });
}

/** Removes what killed processes have left. Never rejects. */
export async function sweepScratchFolders(parent = tmpdir()): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names) {
    const match = NAME.exec(name);
    if (match === null) continue;
    const folder = join(parent, name);
    const isLeft = await wasLeft(folder, match).catch(() => false);
    if (isLeft) await removeScratchFolder(folder).catch(() => {});
  }
}

async function wasLeft(folder: string, [, space, pid, start]: RegExpExecArray): Promise<boolean> {
  const info = await lstat(folder);
  // The temporary folder belongs to everyone, and so a folder of this name may be another user's.
  if (!info.isDirectory() || (process.getuid !== undefined && info.uid !== process.getuid())) return false;
  const isOurs = space !== undefined && Number(space) === (await processSpace());
  if (!isOurs) return info.mtimeMs < Date.now() - STALE_AFTER_MS;
  const running = await startOf(Number(pid));
  return running === null || running !== Number(start);
}

/** Containers can share a temporary folder and not their process ids. 0 where there are no such spaces. */
async function processSpace(): Promise<number> {
  const space = await readlink("/proc/self/ns/pid").catch(() => "");
  return Number(/\d+/.exec(space)?.[0] ?? 0);
}

/** When a process started, so that a later one with the same id is another one; 0 where that isn't known. Null: there is none. */
async function startOf(pid: number): Promise<number | null> {
  if (process.platform !== "linux") return isRunning(pid) ? 0 : null;
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => null);
  if (stat === null) return null;
  // The name before it is in parentheses and may contain anything.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return state === "Z" ? null : Number(fields[18]);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
