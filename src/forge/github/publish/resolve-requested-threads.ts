/** Resolves threads because a person asked for it, also those with replies, or opens them again. Others' threads stay as they are. */
import type { PublishDeps } from "./publishing.ts";
import { MAX_RESOLVED } from "./resolve-threads.ts";

type ThreadsDeps = Pick<PublishDeps, "calls" | "readThreads">;

/**
 * Returns how many of the threads are resolved now. Throws if GitHub rejects a call. The same call then continues with the
 * threads that are still open.
 */
export function resolveRequestedThreads(
  number: number,
  ids: readonly string[],
  deps: ThreadsDeps,
): Promise<number> {
  return change({ number, ids, isResolved: true }, deps.calls.resolveThread, deps);
}

/** Returns how many of the threads are open now. */
export function reopenRequestedThreads(
  number: number,
  ids: readonly string[],
  deps: ThreadsDeps,
): Promise<number> {
  return change({ number, ids, isResolved: false }, deps.calls.reopenThread, deps);
}

async function change(
  wanted: { readonly number: number; readonly ids: readonly string[]; readonly isResolved: boolean },
  call: (id: string) => Promise<boolean>,
  { readThreads }: ThreadsDeps,
): Promise<number> {
  const ids = new Set(wanted.ids);
  if (ids.size === 0) return 0;
  const own = (await readThreads(wanted.number)).filter(({ id }) => ids.has(id));
  const others = own.filter(({ isResolved }) => isResolved !== wanted.isResolved);
  let changed = own.length - others.length;
  for (const { id } of others.slice(0, MAX_RESOLVED)) if (await call(id)) changed += 1;
  return changed;
}
