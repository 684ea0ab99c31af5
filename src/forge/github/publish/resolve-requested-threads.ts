/** Resolves threads because a person asked for it, also those with replies. Others' threads stay as they are. */
import type { PublishDeps } from "./publishing.ts";
import { MAX_RESOLVED } from "./resolve-threads.ts";

/**
 * Returns how many of the threads are resolved now. Throws if GitHub rejects a call. The same call then continues with the
 * threads that are still open.
 */
export async function resolveRequestedThreads(
  number: number,
  ids: readonly string[],
  { calls, readThreads }: Pick<PublishDeps, "calls" | "readThreads">,
): Promise<number> {
  const wanted = new Set(ids);
  if (wanted.size === 0) return 0;
  const own = (await readThreads(number)).filter(({ id }) => wanted.has(id));
  const open = own.filter(({ isResolved }) => !isResolved);
  let resolved = own.length - open.length;
  for (const { id } of open.slice(0, MAX_RESOLVED)) {
    if (await calls.resolveThread(id)) resolved += 1;
  }
  return resolved;
}
