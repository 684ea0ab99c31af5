/**
 * Everything that asked for a review: the job's own trigger, and those of the jobs whose place it took. A push during a
 * first review must not make the pull request go without one because pushes alone are not reviewed.
 */
import type { Job, Queue } from "../../queue/queue.ts";
import { parseReviewJob, REVIEW_KIND, type ReviewTrigger } from "../review-job.ts";

export async function gatherTriggers(job: Job, queue: Queue): Promise<readonly ReviewTrigger[]> {
  const replaced = await queue.supersededBy(job.id);
  const jobs = [job, ...replaced].filter(({ kind }) => kind === REVIEW_KIND);
  return [...new Set(jobs.map(({ payload }) => parseReviewJob(payload).trigger))];
}
