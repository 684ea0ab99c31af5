/**
 * A pull request was closed: the job has taken the place of its reviews. What is left to do is to end the checks of those
 * that waited; a review that runs ends its own.
 */
import { KodiaiError } from "../base/errors.ts";
import type { Forge } from "../forge/forge.ts";
import type { Queue } from "../queue/queue.ts";
import type { Database } from "../store/database.ts";
import type { JobContext, Recipe } from "./recipe.ts";
import { parseReviewJob } from "./review-job.ts";
import { closeAllUnfinished } from "./run/close-unfinished-runs.ts";

export type CloseDeps = {
  readonly forge: Pick<Forge, "openSession">;
  readonly queue: Queue;
  readonly database: Database;
  readonly now: () => number;
};

export function createCloseRecipe(deps: CloseDeps): Recipe {
  return {
    async run(context) {
      try {
        await endReplaced(context, deps);
      } catch (error) {
        // It may be gone together with its repository; then there is nothing to be ended.
        if (!(error instanceof KodiaiError) || error.retryable) throw error;
        context.log.warn("checks could not be ended", { error: error.message });
      }
      return { state: "done", reason: "closed" };
    },
    giveUp: async () => {},
  };
}

async function endReplaced({ job, log }: JobContext, deps: CloseDeps): Promise<void> {
  const { repositoryRef, number } = parseReviewJob(job.payload);
  const session = deps.forge.openSession(repositoryRef);
  try {
    const message = "The pull request was closed before its review was done";
    const ending = { status: "superseded", reason: `superseded-by:${job.id}`, message } as const;
    await closeAllUnfinished({ job, number }, ending, { ...deps, session, log });
  } finally {
    await session.close();
  }
}
