/** Decides, when a review ends, whether the reactions on its pull request are followed from now on. */
import type { PullRequest } from "../../forge/forge.ts";
import type { Queue } from "../../queue/queue.ts";
import type { PriorReview } from "../../review/context/prior-review.ts";
import type { Sql } from "../../store/database.ts";
import {
  deleteFeedbackPollsOf,
  readFeedbackPoll,
  writeFeedbackPoll,
} from "../../store/repositories/feedback-polls.ts";
import type { PreparedReview } from "../gathering/prepared-review.ts";
import { planLearn } from "./learn-job.ts";
import { nextPollAt } from "./next-poll.ts";

export type ReactionsInput = {
  readonly pullRequest: PullRequest;
  readonly run: { readonly id: number; readonly prior: PriorReview };
  readonly prepared: Pick<PreparedReview, "config">;
  readonly leftBehind: PriorReview | null;
};

/**
 * Findings of earlier reviews may have changed their state with this one, so a job follows at once. Without memory, the repository's
 * pull requests are no longer followed.
 */
export async function followReactions(
  { pullRequest, run, prepared, leftBehind }: ReactionsInput,
  at: number,
  { queue, sql }: { readonly queue: Queue; readonly sql: Sql },
): Promise<void> {
  const { repositoryRef, number } = pullRequest;
  const { repositoryId, installationId, owner, name } = repositoryRef;
  if (!prepared.config.tree.root.values.memory.enabled) return deleteFeedbackPollsOf(repositoryId, sql);
  if (leftBehind === null || leftBehind.findings.length === 0) return;
  const last = await readFeedbackPoll(repositoryId, number, sql);
  const changedAt = last?.changedAt ?? at;
  await writeFeedbackPoll(
    {
      repositoryId,
      pullRequest: number,
      installationId,
      repository: `${owner}/${name}`,
      closedAt: null,
      changedAt,
      nextAt: nextPollAt({ changedAt, closedAt: null }, at) ?? at,
    },
    sql,
  );
  if (run.prior.findings.length > 0)
    await queue.enqueue([planLearn({ repositoryRef, number, name: `run/${run.id}` })], sql);
}
