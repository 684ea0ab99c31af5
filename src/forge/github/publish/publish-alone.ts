/**
 * Keeps processes apart that publish the same head without a common database. GitHub allows one pending review per account, so an empty one
 * is a lock. Only its author sees it, and it is deleted afterwards.
 */
import { hasStatus, isGithubError } from "../github-error.ts";
import { withMarker } from "../text-limits.ts";
import { type Publishing, scopeOf } from "./publishing.ts";

const LOCK_TEXT = "Kodiai is publishing a review.";

/** Publishing takes seconds. A lock that is older is left from a process that was killed. */
const MAX_WAITS = 15;
const WAIT_MS = 1_000;

/** Without a given token, the journal keeps processes apart. */
export async function publishAlone<Value>(
  publishing: Publishing,
  work: () => Promise<Value>,
): Promise<Value> {
  if (!publishing.hasGivenToken) return work();
  const { request, calls } = publishing;
  const { number } = request.pullRequest;
  const lock = await acquire(publishing);
  try {
    return await work();
  } finally {
    if (lock !== null) await calls.deletePendingReview(number, lock);
  }
}

/** Null if there can't be one: the token may not write reviews, or the account has a pending review that isn't Kodiai's. */
async function acquire(publishing: Publishing): Promise<number | null> {
  const { request, calls, markers, head, sleep, log } = publishing;
  const { number } = request.pullRequest;
  const marker = markers.render(scopeOf(publishing, "trial"), { bodyHash: LOCK_HASH, moved: [] });
  for (let waits = 0; ; waits += 1) {
    try {
      return await calls.createReview(number, { head, body: withMarker(LOCK_TEXT, marker), comments: [] });
    } catch (error) {
      if (!isGithubError(error) || error.retryAtMs !== null) throw error;
      const isTaken = hasStatus(error, 422) && /pending review/i.test(error.call.words);
      if (!isTaken || waits > MAX_WAITS) {
        log.debug("publishing without a lock", { reason: error.message });
        return null;
      }
    }
    await sleep(WAIT_MS);
    if (waits === MAX_WAITS) await breakLock(publishing);
  }
}

async function breakLock({ request, calls }: Publishing): Promise<void> {
  const { number } = request.pullRequest;
  const reviews = await calls.listOwnReviews(number);
  for (const { id, isPending } of reviews) if (isPending) await calls.deletePendingReview(number, id);
}

/** All locks are alike. */
const LOCK_HASH = "0".repeat(16);
