/** Payload of the job in which a model reads one reply to a finding. The reply itself is read again from the host. */
import type { RepositoryRef } from "../../forge/forge.ts";
import type { JobRequest } from "../../queue/queue.ts";
import { CONVERSE_LANE, talkGroup } from "../mentions/mention-job.ts";
import { REPLY_KIND, reviewSerialKey } from "../review-job.ts";
import { parseStoredRef, type StoredRef } from "../stored-ref.ts";
import type { UnclearReply } from "./find-unclear-replies.ts";

export type ReplyJob = Pick<UnclearReply, "identity" | "key"> & {
  readonly repositoryRef: RepositoryRef;
  readonly number: number;
};

/** One per reply, in order. It doesn't wait for reviews, and no newer job replaces it. */
export function planReply({ repositoryRef, number, identity, key }: ReplyJob): JobRequest {
  return {
    key: `${REPLY_KIND}/${repositoryRef.repositoryId}/${number}/${key}`,
    kind: REPLY_KIND,
    lane: CONVERSE_LANE,
    serialKey: `${reviewSerialKey(repositoryRef, number)}/replies`,
    supersedes: false,
    group: talkGroup(repositoryRef),
    priority: 0,
    delayMs: 0,
    payload: JSON.stringify({ place: repositoryRef, number, identity, key }),
  };
}

/** The queue holds only what `planReply` wrote, so its shape is known. */
export function parseReplyJob(payload: string): ReplyJob {
  const { place, ...job } = JSON.parse(payload) as Omit<ReplyJob, "repositoryRef"> & {
    readonly place: StoredRef;
  };
  return { repositoryRef: parseStoredRef(place), ...job };
}
