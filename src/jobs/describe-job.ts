/** Describes a job in a few words. */
import { EMBED_KIND } from "./memory/embed-job.ts";
import { CONVERSE_KIND, MENTION_KIND } from "./mentions/mention-job.ts";
import { CLOSE_KIND, LEARN_KIND, REPLY_KIND, SETTLE_KIND } from "./review-job.ts";
import { subjectOfJob } from "./subject-of-job.ts";
import type { Job } from "../queue/queue.ts";

export function describeJob(job: Pick<Job, "kind" | "payload">): string {
  const about = subjectOfJob(job);
  if (job.kind === EMBED_KIND) return "embed memories";
  if (about === null) return job.kind;
  const { repository, number, trigger } = about;
  if (job.kind === CLOSE_KIND) return `close ${repository} ${number}`;
  if (job.kind === LEARN_KIND) return `read reactions ${repository} ${number}`;
  if (job.kind === REPLY_KIND) return `read reply ${repository} ${number}`;
  if (job.kind === SETTLE_KIND) return `settle findings ${repository} ${number}`;
  if (job.kind === MENTION_KIND) return `mention ${repository} ${number} (${trigger})`;
  if (job.kind === CONVERSE_KIND) return `answer ${repository} ${number} (${trigger})`;
  return `review ${repository} ${number} (${trigger})`;
}
