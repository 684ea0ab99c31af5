/** Ends a run that a gate has stopped. A person who wrote [no-review] is told once, by the check, that it was seen. */
import type { ForgeSession, PullRequest } from "../../forge/forge.ts";
import type { Database } from "../../store/database.ts";
import { finishRun } from "../../store/repositories/runs.ts";
import type { SkipReason } from "../gate-review.ts";
import type { JobContext, JobOutcome } from "../recipe.ts";
import type { ReviewJob } from "../review-job.ts";
import type { ReviewRun } from "./claim-review-run.ts";

export type SkipInput = {
  readonly asked: ReviewJob;
  readonly session: ForgeSession;
  readonly pullRequest: PullRequest;
  readonly run: ReviewRun;
};

export type SkipDeps = {
  readonly database: Database;
  readonly now: () => number;
  readonly context: JobContext;
};

export async function skipReview(
  reason: SkipReason,
  { session, pullRequest, run }: SkipInput,
  { database, now }: SkipDeps,
): Promise<JobOutcome> {
  if (reason === "skipped:no-review") {
    await session.concludeCheck(
      pullRequest,
      {
        conclusion: "skipped",
        title: "Review skipped: [no-review]",
        summary:
          "The title or a commit says `[no-review]`. To get a review all the same, comment `/kodiai review` or re-run this check.",
      },
      run.ledger,
    );
  }
  await finishRun(
    run.id,
    { status: "skipped", reason, finishedAt: now(), findingsTotal: 0, findingsTold: 0 },
    database,
  );
  return { state: "skipped", reason };
}
