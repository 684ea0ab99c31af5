/** Describes a job in a few words. */
import { EMBED_KIND } from "../jobs/memory/embed-job.ts";
import { CLOSE_KIND, LEARN_KIND, pullRequestOf } from "../jobs/review-job.ts";
import type { Job } from "../queue/queue.ts";

export function describeJob(job: Pick<Job, "kind" | "payload">): string {
  const about = pullRequestOf(job);
  if (job.kind === EMBED_KIND) return "embed memories";
  if (about === null) return job.kind;
  const { repository, number, trigger } = about;
  if (job.kind === CLOSE_KIND) return `close ${repository} ${number}`;
  if (job.kind === LEARN_KIND) return `read reactions ${repository} ${number}`;
  return `review ${repository} ${number} (${trigger})`;
}
