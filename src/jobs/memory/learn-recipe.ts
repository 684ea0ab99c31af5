/** The recipe that reads people's reactions on one pull request. It reads from the forge and writes only to the database, and hands unclear replies to a job with a model. */
import { KodiaiError } from "../../base/errors.ts";
import type { Forge } from "../../forge/forge.ts";
import type { Queue } from "../../queue/queue.ts";
import type { Recipe } from "../recipe.ts";
import { planSettle } from "../settling/settle-job.ts";
import type { Sql } from "../../store/database.ts";
import { deleteFeedbackPoll } from "../../store/repositories/feedback-polls.ts";
import { type LearnDeps, learnFromFeedback } from "./learn-from-feedback.ts";
import type { UnclearReply } from "./find-unclear-replies.ts";
import { parseLearnJob } from "./learn-job.ts";
import { planReply } from "./reply-job.ts";

export type LearnRecipeDeps = LearnDeps & {
  readonly forge: Pick<Forge, "openSession">;
  readonly queue: Pick<Queue, "enqueue" | "wake">;
  /** Whether this machine has access to any model, so that one may read replies. */
  readonly hasModels: boolean;
};

export function createLearnRecipe(deps: LearnRecipeDeps): Recipe {
  return {
    async run(context) {
      const { repositoryRef, number } = parseLearnJob(context.job.payload);
      const { repositoryId } = repositoryRef;
      const session = deps.forge.openSession(repositoryRef);
      // People's words may settle a finding.
      const settling = planSettle({ repositoryRef, number, name: `learn/${context.job.id}` });
      const onChange = async (sql: Sql): Promise<void> => void (await deps.queue.enqueue([settling], sql));
      const onUnclear = async (replies: readonly UnclearReply[], sql: Sql): Promise<void> => {
        const jobs = replies.map(({ identity, key }) => planReply({ repositoryRef, number, identity, key }));
        await deps.queue.enqueue(jobs, sql);
      };
      await context.step("reading reactions");
      try {
        const changes = await learnFromFeedback(
          { number, repositoryId, session, onChange, ...(deps.hasModels ? { onUnclear } : {}) },
          deps,
        );
        // Without memory, only an event about a thread starts this job.
        if (changes === null) await deps.database.transaction(onChange);
        deps.queue.wake();
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
