/**
 * Collects every request that a review answers: the job's own and those of the jobs it replaced. If a push replaces the
 * first review, the pull request still gets a review, even where pushes alone don't trigger one. A comment that requested
 * a review is answered even though a newer job did the work.
 */
import type { Job, Queue } from "../../queue/queue.ts";
import { parseReviewJob, REVIEW_KIND, type ReviewJob, type ReviewTrigger } from "../review-job.ts";

export type GatheredRequest = ReviewJob & { readonly jobId: number };

/** The job's own request first, then those of the jobs it replaced, oldest first. */
export async function gatherRequests(
  job: Job,
  queue: Pick<Queue, "supersededBy">,
): Promise<readonly GatheredRequest[]> {
  const replaced = await queue.supersededBy(job.id);
  return [job, ...replaced]
    .filter(({ kind }) => kind === REVIEW_KIND)
    .map(({ id, payload }) => ({ ...parseReviewJob(payload), jobId: id }));
}

export function triggersOf(requests: readonly ReviewJob[]): readonly ReviewTrigger[] {
  return [...new Set(requests.map(({ trigger }) => trigger))];
}
