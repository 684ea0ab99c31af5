/**
 * The head moved while it was reviewed: nothing of the old review is published, and the new head gets a job of its own,
 * whether or not an event about it has come. So a pull request never goes without the review that was asked for.
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
  readonly asked: ReviewJob;
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
  { asked, pullRequest, run }: FollowInput,
  head: string,
  { database, queue, now, context }: FollowDeps,
): Promise<JobOutcome> {
  const { request } = planReview({
    ...asked,
    head,
    isBot: pullRequest.author.isBot,
    requestId: asked.request,
  });
  // A name of its own: the head may have been another job's before, or even this one's.
  const following = { ...request, key: `${request.key}/after/${context.job.id}` };
  const next = await database.transaction(async (sql) => {
    const [enqueued] = await queue.enqueue([following], sql);
    const reason = `superseded-by:${enqueued?.jobId ?? "unknown"}`;
    await finishRun(
      run.id,
      { status: "superseded", reason, finishedAt: now(), findingsTotal: 0, findingsTold: 0 },
      sql,
    );
    return reason;
  });
  queue.wake();
  return { state: "superseded", reason: next };
}
