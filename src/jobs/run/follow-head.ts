/**
 * Enqueues a job for the new head when a push arrived during the review. The old review isn't published. The job doesn't
 * depend on the push event, so the requested review happens even if that event never arrives.
 */
import type { JobStore } from "../job-store.ts";
import { planReview } from "../plan-job.ts";
import type { JobOutcome } from "../recipe.ts";
import type { OpenRun } from "./open-run.ts";

export async function followHead(
  { reviewJob, pullRequest, run, context }: OpenRun,
  head: string,
  { database, queue }: JobStore,
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
    await run.finish({ status: "superseded", reason }, sql);
    return reason;
  });
  queue.wake();
  return { state: "superseded", reason: next };
}
