/**
 * The recipe for a pull request: reads it from the forge, runs the same review as on the command line, and publishes the
 * result exactly once. It makes no decisions; each step has its own file in `run/`.
 */
import { reachFaultPoint } from "../base/fault-point.ts";
import { createLazyCodeIndex } from "./gathering/related-code/lazy-code-index.ts";
import type { JobOutcome, Recipe } from "./recipe.ts";
import { parseReviewJob } from "./review-job.ts";
import { closeRun } from "./run/close-run.ts";
import { gateRun } from "./run/gate-run.ts";
import { giveUpReview } from "./run/give-up-review.ts";
import { openRun } from "./run/open-run.ts";
import { prepareRun } from "./run/prepare-run.ts";
import { publishRun } from "./run/publish-run.ts";
import { reviewRun } from "./run/review-run.ts";
import type { PullRequestDeps, ReviewAttempt } from "./run/run-deps.ts";

export function createReviewRecipe(deps: PullRequestDeps): Recipe {
  return {
    async run(context) {
      const reviewJob = parseReviewJob(context.job.payload);
      reachFaultPoint("after-claim", reviewJob.number);
      const reader = await deps.code.openReader(context.signal);
      const session = deps.forge.openSession(reviewJob.repositoryRef);
      try {
        return await reviewPullRequest({ reviewJob, session, context, reader }, deps);
      } finally {
        reader.close();
        await session.close();
      }
    },
    giveUp: (job, why) => giveUpReview(job, why, deps),
  };
}

async function reviewPullRequest(attempt: ReviewAttempt, deps: PullRequestDeps): Promise<JobOutcome> {
  const opened = await openRun(attempt, deps);
  if (opened.kind === "end") return opened.outcome;
  const { repository } = opened.value;
  const { reader, reviewJob } = attempt;
  const { repositoryId } = reviewJob.repositoryRef;
  const codeIndex = createLazyCodeIndex(() => deps.code.openCodeIndex({ repository, reader, repositoryId }));
  try {
    const run = await prepareRun(opened.value, codeIndex, deps);
    const gate = await gateRun(run, deps);
    if (gate.kind === "end") return gate.outcome;
    const reviewed = await reviewRun(run, gate.value);
    const outcome = await publishRun(run, reviewed, deps);
    deps.oneShot?.onReviewed({
      jobId: attempt.context.job.id,
      publication: reviewed.publication,
      failOn: run.prepared.config.tree.root.values.review.failOn,
      outcome,
    });
    return await closeRun(outcome, run, reviewed, deps.store);
  } finally {
    codeIndex.close();
    repository.close();
  }
}
