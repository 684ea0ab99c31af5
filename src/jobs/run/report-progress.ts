/** Writes a review's progress to its job, so that `kodiai jobs` shows it. */
import { describeProgress } from "../describe-progress.ts";
import type { JobContext } from "../recipe.ts";
import type { ReviewProgress } from "../review-progress.ts";

/** Each report is a write to the database. */
const EVERY_MS = 5_000;

export function reportProgress(
  { step }: Pick<JobContext, "step">,
  now: () => number,
): (progress: ReviewProgress) => void {
  let reportedAt = -Infinity;
  let last: ReviewProgress | null = null;
  return (progress) => {
    if (last !== null && isSameStage(last, progress) && now() - reportedAt < EVERY_MS) return;
    reportedAt = now();
    last = progress;
    // A job that may not go on has its signal aborted, which ends the review, so nothing waits for this promise.
    void step(`reviewing: ${describeProgress(progress)}`).catch(() => {});
  };
}

/** Another reviewer and another turn are reported at once, because a turn can take minutes without further progress. */
function isSameStage(one: ReviewProgress, other: ReviewProgress): boolean {
  if (one.kind !== "model" || other.kind !== "model") return one.kind === other.kind;
  return one.pass === other.pass && one.model === other.model && one.turn === other.turn;
}
