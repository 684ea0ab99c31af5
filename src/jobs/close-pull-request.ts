/**
 * The recipe for a closed pull request. Its job has already replaced the queued and running reviews. The recipe concludes
 * the checks of reviews that were waiting; a running review concludes its own. It also records what became of the pull request's
 * dependency bumps and findings.
 */
import { KodiaiError } from "../base/errors.ts";
import type { Forge } from "../forge/forge.ts";
import { hasBumps } from "../store/repositories/bumps.ts";
import type { JobStore } from "./job-store.ts";
import { learnFromFeedback } from "./memory/learn-from-feedback.ts";
import type { JobContext, Recipe } from "./recipe.ts";
import { parseReviewJob } from "./review-job.ts";
import { closeAllUnfinished } from "./run/close-unfinished-runs.ts";
import { settlePullRequest } from "./run/remember-bumps.ts";

export type CloseDeps = {
  readonly forge: Pick<Forge, "openSession">;
  readonly store: JobStore;
};

export function createCloseRecipe(deps: CloseDeps): Recipe {
  return {
    async run(context) {
      try {
        await closeReplaced(context, deps);
      } catch (error) {
        // The pull request may be gone together with its repository. Then no checks are left.
        if (!(error instanceof KodiaiError) || error.retryable) throw error;
        context.log.warn("settling the closed pull request failed", { error: error.message });
      }
      return { state: "done", reason: "closed" };
    },
    giveUp: async () => {},
  };
}

async function closeReplaced({ job, log }: JobContext, { forge, store }: CloseDeps): Promise<void> {
  const { repositoryRef, number } = parseReviewJob(job.payload);
  const session = forge.openSession(repositoryRef);
  try {
    const message = "The pull request was closed before its review finished.";
    const closing = { status: "superseded", reason: `superseded-by:${job.id}`, message } as const;
    await closeAllUnfinished(number, closing, { job, log, session }, store);
    // Most repositories have no bumps, and then the pull request needn't be read.
    if (await hasBumps(repositoryRef.repositoryId, store.database))
      await settlePullRequest(await session.pullRequests.read(number), store.database);
    await learnFromFeedback({ number, repositoryId: repositoryRef.repositoryId, session }, store);
  } finally {
    await session.close();
  }
}
