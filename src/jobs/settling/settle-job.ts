/** Payload of the job that brings the summary and the check of a pull request up to date with what people said about its findings. */
import type { RepositoryRef } from "../../forge/forge.ts";
import type { JobRequest } from "../../queue/queue.ts";
import { MENTION_LANE, talkGroup } from "../mentions/mention-job.ts";
import { reviewSerialKey, SETTLE_KIND } from "../review-job.ts";
import { parseStoredRef, type StoredRef } from "../stored-ref.ts";

export type SettleJob = { readonly repositoryRef: RepositoryRef; readonly number: number };

/**
 * `name` tells the jobs of a pull request apart. A review of it runs first, and a newer one replaces this job, because it takes the same words
 * into account.
 */
export function planSettle({
  repositoryRef,
  number,
  name,
}: SettleJob & { readonly name: string }): JobRequest {
  return {
    key: `${SETTLE_KIND}/${repositoryRef.repositoryId}/${number}/${name}`,
    kind: SETTLE_KIND,
    lane: MENTION_LANE,
    serialKey: reviewSerialKey(repositoryRef, number),
    supersedes: false,
    group: talkGroup(repositoryRef),
    priority: 0,
    delayMs: 0,
    payload: JSON.stringify({ place: repositoryRef, number, trigger: "settle" }),
  };
}

/** The queue holds only what `planSettle` wrote, so its shape is known. */
export function parseSettleJob(payload: string): SettleJob {
  const { place, number } = JSON.parse(payload) as { readonly place: StoredRef; readonly number: number };
  return { repositoryRef: parseStoredRef(place), number };
}
