/** Payload of the job that reads people's reactions to the findings on a pull request. */
import type { RepositoryRef } from "../../forge/forge.ts";
import type { JobRequest } from "../../queue/queue.ts";
import { parseStoredRef, type StoredRef } from "../stored-ref.ts";
import { LEARN_KIND, reviewSerialKey } from "../review-job.ts";

export type LearnJob = { readonly repositoryRef: RepositoryRef; readonly number: number };

/**
 * A newer job replaces an older one that waits, because each reads everything. `name` tells the jobs of a pull request apart. They don't
 * wait for its reviews and don't take their turns.
 */
export function planLearn({ repositoryRef, number, name }: LearnJob & { readonly name: string }): JobRequest {
  return {
    key: `${LEARN_KIND}/${repositoryRef.repositoryId}/${number}/${name}`,
    kind: LEARN_KIND,
    lane: "upkeep",
    serialKey: `${reviewSerialKey(repositoryRef, number)}/feedback`,
    supersedes: true,
    group: `feedback/${repositoryRef.installationId}`,
    priority: 0,
    delayMs: 0,
    payload: JSON.stringify({ place: repositoryRef, number }),
  };
}

/** The queue holds only what `planLearn` wrote, so its shape is known. */
export function parseLearnJob(payload: string): LearnJob {
  const { place, number } = JSON.parse(payload) as { readonly place: StoredRef; readonly number: number };
  return { repositoryRef: parseStoredRef(place), number };
}
