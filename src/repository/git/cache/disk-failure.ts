/** Explains failures to write to the disk with the repository cache. */
import { KodiaiError } from "../../../base/errors.ts";

/** Takes system errors about the folder, and git's errors about a full disk. Null for any other error. */
export function diskFailure(error: unknown): KodiaiError | null {
  if (!(error instanceof Error)) return null;
  const system = "syscall" in error && "code" in error ? String(error.code) : null;
  const isFull = system === "ENOSPC" || system === "EDQUOT" || /no space left on device/i.test(error.message);
  if (system === null && !isFull) return null;
  const reason = system ?? error.message;
  return new KodiaiError("io", `the repository cache isn't writable (${reason})`, {
    hint: isFull
      ? "Free up space on the disk with the repository cache, or lower the size limit of the cache."
      : "Check that the folder of the repository cache exists and is writable.",
    retryable: isFull,
    cause: error,
  });
}
