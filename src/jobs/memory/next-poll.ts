/** Decides when a pull request is read again for reactions. Pure. */
import type { FeedbackPoll } from "../../store/repositories/feedback-polls.ts";

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

/** Right after a change more reactions are likely. Each read costs a few requests. */
const MIN_INTERVAL_MS = HOUR_MS;
const MAX_INTERVAL_MS = DAY_MS;

/** After a quiet time, the next read follows when this share of it has passed again. */
const BACKOFF = 0.25;

/** People react to findings of a closed pull request for this long at most. */
const FOLLOW_CLOSED_MS = 14 * DAY_MS;

/** Null if the pull request needn't be read any more. */
export function nextPollAt(
  { changedAt, closedAt }: Pick<FeedbackPoll, "changedAt" | "closedAt">,
  now: number,
): number | null {
  if (closedAt !== null && now - closedAt > FOLLOW_CLOSED_MS) return null;
  const interval = BACKOFF * (now - changedAt);
  return now + Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, interval));
}
