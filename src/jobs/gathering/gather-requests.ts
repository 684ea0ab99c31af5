/**
 * Everything that asked for a review: the job's own request, and those of the jobs whose place it took. A push during a
 * first review must not make the pull request go without one because pushes alone are not reviewed; and whoever asked in
 * a comment is answered although a newer job did the work.
 */
import type { Job, Queue } from "../../queue/queue.ts";
import { parseReviewJob, REVIEW_KIND, type ReviewJob, type ReviewTrigger } from "../review-job.ts";

export type GatheredRequest = ReviewJob & { readonly jobId: number };

/** The job's own comes first, then those it replaced, oldest first. */
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
