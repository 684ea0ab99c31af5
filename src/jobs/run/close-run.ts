/** Closes a run according to the outcome of publishing. */
import type { PublishOutcome } from "../../forge/forge.ts";
import type { JobStore } from "../job-store.ts";
import type { ReviewResult } from "../review-change.ts";
import type { JobOutcome } from "../recipe.ts";
import { finishReview } from "./finish-review.ts";
import type { PreparedRun } from "./prepare-run.ts";
import { skipReview } from "./skip-review.ts";

export function closeRun(
  outcome: PublishOutcome,
  run: PreparedRun,
  reviewed: ReviewResult,
  store: JobStore,
): Promise<JobOutcome> {
  // The author turned the pull request back into a draft during the review.
  return outcome.kind === "draft"
    ? skipReview({ reason: "skipped:draft", pause: null }, run, store)
    : finishReview(outcome, run, reviewed, store);
}
