/** What a job carries that deletes what is stored of repositories. Numbers only: it outlives what it deletes. */
import type { JobRequest } from "../queue/queue.ts";

export const FORGET_KIND = "forget";

export type ForgetJob = {
  readonly installationId: number;
  /** Null: all that is stored of the installation. */
  readonly repositoryIds: readonly number[] | null;
};

/** It waits by itself until what it deletes is due. */
export function planForget(asked: ForgetJob & { readonly requestId: string }): JobRequest {
  const { installationId, repositoryIds, requestId } = asked;
  return {
    key: `${FORGET_KIND}/${installationId}/${requestId}`,
    kind: FORGET_KIND,
    lane: "upkeep",
    serialKey: null,
    supersedes: false,
    group: "upkeep",
    priority: 0,
    delayMs: 0,
    payload: JSON.stringify({ installationId, repositoryIds } satisfies ForgetJob),
  };
}

/** The queue holds only what `planForget` wrote, so its shape is known. */
export function parseForgetJob(payload: string): ForgetJob {
  return JSON.parse(payload) as ForgetJob;
}
