/** The recipe that reads people's reactions on one pull request. It reads from the forge and writes only to the database. */
import { KodiaiError } from "../../base/errors.ts";
import type { Forge } from "../../forge/forge.ts";
import type { Recipe } from "../recipe.ts";
import { deleteFeedbackPoll } from "../../store/repositories/feedback-polls.ts";
import { type LearnDeps, learnFromFeedback } from "./learn-from-feedback.ts";
import { parseLearnJob } from "./learn-job.ts";

export type LearnRecipeDeps = LearnDeps & { readonly forge: Pick<Forge, "openSession"> };

export function createLearnRecipe(deps: LearnRecipeDeps): Recipe {
  return {
    async run(context) {
      const { repositoryRef, number } = parseLearnJob(context.job.payload);
      const { repositoryId } = repositoryRef;
      const session = deps.forge.openSession(repositoryRef);
      await context.step("reading reactions");
      try {
        const changes = await learnFromFeedback({ number, repositoryId, session }, deps);
        if (changes === null) return { state: "skipped", reason: "skipped:not-followed" };
        return { state: "done", reason: `learned:${changes}` };
      } catch (error) {
        if (!(error instanceof KodiaiError) || error.code !== "not-found" || error.retryable) throw error;
        // The pull request is gone together with its repository, or the app lost access.
        await deleteFeedbackPoll(repositoryId, number, deps.database);
        return { state: "skipped", reason: "skipped:not-found" };
      } finally {
        await session.close();
      }
    },
    giveUp: async () => {},
  };
}
