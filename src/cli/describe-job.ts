/** Describes a job in a few words. */
import { CLOSE_KIND, pullRequestOf } from "../jobs/review-job.ts";
import type { Job } from "../queue/queue.ts";

export function describeJob(job: Pick<Job, "kind" | "payload">): string {
  const about = pullRequestOf(job);
  if (about === null) return job.kind;
  const { repository, number, trigger } = about;
  return job.kind === CLOSE_KIND
    ? `close ${repository} ${number}`
    : `review ${repository} ${number} (${trigger})`;
}
