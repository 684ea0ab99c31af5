/** Closes a run according to the outcome of publishing. */
import type { PublishOutcome } from "../../forge/forge.ts";
import type { ReviewResult } from "../review-change.ts";
import type { JobOutcome } from "../recipe.ts";
import { finishReview } from "./finish-review.ts";
import type { PreparedRun } from "./prepare-run.ts";
import type { RunDeps } from "./run-deps.ts";
import { skipReview } from "./skip-review.ts";

export function closeRun(
  outcome: PublishOutcome,
  run: PreparedRun & ReviewResult,
  deps: RunDeps,
): Promise<JobOutcome> {
  // The author turned the pull request back into a draft during the review.
  return outcome.kind === "draft" ? skipReview("skipped:draft", run, deps) : finishReview(outcome, run, deps);
}
