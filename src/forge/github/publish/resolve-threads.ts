/** Resolves the threads of fixed findings. A failure leaves threads open and never keeps the summary from being published. */
import { isGithubError } from "../github-error.ts";
import type { Publishing } from "./publishing.ts";

/** Each thread takes a request that counts as a write, and GitHub allows 80 of those per minute. */
export const MAX_RESOLVED = 50;

/** More failures have a reason that applies to all threads, such as a missing permission. */
const MAX_FAILURES = 3;

/** Returns how many of the requested threads are still open. */
export async function resolveThreads(publishing: Publishing): Promise<number> {
  const { request, readThreads } = publishing;
  const wanted = new Set(request.threadsToResolve);
  if (wanted.size === 0) return 0;
  const found = await tolerate(publishing, async () => readThreads(request.pullRequest.number));
  if (found === null) return wanted.size;
  // Listed again, because people may have written or resolved something while the change was reviewed. A thread that
  // isn't listed is gone, or isn't the app's.
  const open = found.filter(({ id, isResolved }) => wanted.has(id) && !isResolved);
  const untouched = open.filter(({ hasReply }) => !hasReply).slice(0, MAX_RESOLVED);
  return open.length - (await countResolved(publishing, untouched));
}

async function countResolved(
  publishing: Publishing,
  threads: readonly { readonly id: string }[],
): Promise<number> {
  let resolved = 0;
  let failures = 0;
  for (const { id } of threads) {
    if (failures === MAX_FAILURES || (await publishing.request.guard()) !== "go") break;
    const isResolved = await tolerate(publishing, async () => publishing.calls.resolveThread(id));
    if (isResolved === null) failures += 1;
    if (isResolved === true) resolved += 1;
  }
  return resolved;
}

/** Null if GitHub rejected the call or didn't answer. */
async function tolerate<Value>({ log }: Publishing, call: () => Promise<Value>): Promise<Value | null> {
  try {
    return await call();
  } catch (error) {
    if (!isGithubError(error)) throw error;
    log.warn("resolving threads failed", { reason: error.message, hint: error.hint });
    return null;
  }
}
