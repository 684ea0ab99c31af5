/** Names the pull request or issue of a job, for people and for statistics. */
import { CONVERSE_KIND, MENTION_KIND, parseMentionJob } from "./mentions/mention-job.ts";
import {
  CLOSE_KIND,
  LEARN_KIND,
  parseReviewJob,
  REPLY_KIND,
  REVIEW_KIND,
  SETTLE_KIND,
} from "./review-job.ts";

/** Their payloads name the pull request as that of a review does. */
const LIKE_REVIEWS: ReadonlySet<string> = new Set([
  REVIEW_KIND,
  CLOSE_KIND,
  LEARN_KIND,
  REPLY_KIND,
  SETTLE_KIND,
]);

export type JobSubject = {
  readonly repository: string;
  /** Of the pull request or issue. */
  readonly number: number;
  /** The event that led to a review, or the command of a mention. */
  readonly trigger: string;
};

/** Null for jobs that are about no pull request or issue. */
export function subjectOfJob({
  kind,
  payload,
}: {
  readonly kind: string;
  readonly payload: string;
}): JobSubject | null {
  if (LIKE_REVIEWS.has(kind)) {
    const { repositoryRef, number, trigger } = parseReviewJob(payload);
    return { repository: `${repositoryRef.owner}/${repositoryRef.name}`, number, trigger };
  }
  if (kind !== MENTION_KIND && kind !== CONVERSE_KIND) return null;
  const { repositoryRef, place, command } = parseMentionJob(payload);
  const repository = `${repositoryRef.owner}/${repositoryRef.name}`;
  return { repository, number: place.number, trigger: command.kind };
}
