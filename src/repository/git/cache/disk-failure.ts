/** Explains failures to write to the disk with the repository cache. */
import { statfs } from "node:fs/promises";
import { type ErrorCode, KodiaiError } from "../../../base/errors.ts";

/** Less than git needs for the smallest copy. Git often fails on a full disk without naming the cause. */
const MIN_FREE_BYTES = 1024 * 1024;

/** Codes of failures that a full disk can lie behind. */
const SUSPECT_CODES: ReadonlySet<ErrorCode> = new Set(["git", "io", "not-a-repository", "unknown-ref"]);

/** Takes system errors about the folder, and git's errors about a full disk. Null for any other error. */
export async function diskFailure(error: unknown, folder: string): Promise<KodiaiError | null> {
  if (!(error instanceof Error)) return null;
  if (await isDiskFull(error, folder)) {
    return new KodiaiError("disk-full", "the disk with the clones is full", {
      hint: `Free up space on the disk with ${folder}, or lower KODIAI_CACHE_GB. The review goes on when there is room.`,
      retryable: true,
      cause: error,
    });
  }
  const system = systemCodeOf(error);
  if (system === null) return null;
  return new KodiaiError("io", `the repository cache isn't writable (${system})`, {
    hint: "Check that the folder of the repository cache exists and is writable.",
    cause: error,
  });
}

export async function isDiskFull(error: unknown, folder: string): Promise<boolean> {
  if (!(error instanceof Error)) return false;
  const system = systemCodeOf(error);
  const code = error instanceof KodiaiError ? error.code : null;
  const isSuspect = system !== null || (code !== null && SUSPECT_CODES.has(code));
  if (code === "disk-full" || system === "ENOSPC" || system === "EDQUOT") return true;
  if (/no space left on device|disk quota exceeded/i.test(error.message)) return true;
  return isSuspect && (await hasNoRoom(folder));
}

function systemCodeOf(error: Error): string | null {
  return "syscall" in error && "code" in error ? String(error.code) : null;
}

/** False if the disk can't be asked. Some file systems count no files. */
async function hasNoRoom(folder: string): Promise<boolean> {
  const disk = await statfs(folder).catch(() => null);
  if (disk === null) return false;
  return disk.bavail * disk.bsize < MIN_FREE_BYTES || (disk.files > 0 && disk.ffree === 0);
}
