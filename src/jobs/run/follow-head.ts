/**
 * Enqueues a job for the new head when a push arrived during the review. The old review isn't published. The job doesn't
 * depend on the push event, so the requested review happens even if that event never arrives.
 */
import type { PullRequest } from "../../forge/forge.ts";
import type { Queue } from "../../queue/queue.ts";
import type { Database } from "../../store/database.ts";
import { finishRun } from "../../store/repositories/runs.ts";
import { planReview } from "../plan-job.ts";
import type { JobContext, JobOutcome } from "../recipe.ts";
import type { ReviewJob } from "../review-job.ts";
import type { ReviewRun } from "./claim-review-run.ts";

export type FollowInput = {
  readonly reviewJob: ReviewJob;
  readonly pullRequest: PullRequest;
  readonly run: ReviewRun;
};

export type FollowDeps = {
  readonly database: Database;
  readonly queue: Queue;
  readonly now: () => number;
  readonly context: Pick<JobContext, "job">;
};

export async function followHead(
  { reviewJob, pullRequest, run }: FollowInput,
  head: string,
  { database, queue, now, context }: FollowDeps,
): Promise<JobOutcome> {
  const { request } = planReview({
    ...reviewJob,
    head,
    isBot: pullRequest.author.isBot,
    requestId: reviewJob.request,
  });
  // The key must be unique: this or another job may already have covered that head.
  const following = { ...request, key: `${request.key}/after/${context.job.id}` };
  const next = await database.transaction(async (sql) => {
    const [enqueued] = await queue.enqueue([following], sql);
    const reason = `superseded-by:${enqueued?.jobId ?? "unknown"}`;
    await finishRun(
      run.id,
      { status: "superseded", reason, finishedAt: now(), findingsTotal: 0, findingsReported: 0 },
      sql,
    );
    return reason;
  });
  queue.wake();
  return { state: "superseded", reason: next };
}
