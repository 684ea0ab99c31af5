/** Payload of the job that embeds the memories of one repository. */
import type { JobRequest } from "../../queue/queue.ts";

export const EMBED_KIND = "embed";

export type EmbedJob = { readonly repositoryId: number };

/**
 * `cause` tells the occasions apart, such as `run/12`: the same one never starts a second job. A newer job replaces an older one of the
 * repository, which loses nothing, because each continues where the last one ended. Call `queue.wake` after the commit.
 */
export function planEmbed(repositoryId: number, cause: string): JobRequest {
  return {
    key: `${EMBED_KIND}/${repositoryId}/${cause}`,
    kind: EMBED_KIND,
    lane: "upkeep",
    serialKey: embedsOfRepository(repositoryId),
    supersedes: true,
    // A group of its own, so that many repositories at once don't delay other upkeep.
    group: EMBED_KIND,
    priority: 0,
    delayMs: 0,
    payload: JSON.stringify({ repositoryId } satisfies EmbedJob),
  };
}

/** The serial key of a repository's jobs, which no other one's begins with. */
export function embedsOfRepository(repositoryId: number): string {
  return `${EMBED_KIND}/${repositoryId}/`;
}

/** The queue holds only what `planEmbed` wrote, so its shape is known. */
export function parseEmbedJob(payload: string): EmbedJob {
  return JSON.parse(payload) as EmbedJob;
}
