/** Payload of the job that deletes the data of repositories. It holds only IDs, because it outlives the data. */
import type { JobRequest } from "../queue/queue.ts";

export const FORGET_KIND = "forget";

export type ForgetJob = {
  readonly installationId: number;
  /** Null: all repositories of the installation. */
  readonly repositoryIds: readonly number[] | null;
};

/** The job starts at once and waits until the retention period is over. */
export function planForget(plan: ForgetJob & { readonly requestId: string }): JobRequest {
  const { installationId, repositoryIds, requestId } = plan;
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
