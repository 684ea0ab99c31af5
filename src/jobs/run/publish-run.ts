/** Publishes a review exactly once. Its findings are stored first, so that a crash can't publish them twice. */
import type { PublishGuard, PublishOutcome } from "../../forge/forge.ts";
import { isOwnCommit } from "../../review/edits/compose-commit-message.ts";
import type { Publication } from "../../review/publication/publication.ts";
import { composePullRequest } from "../../review/publication/compose/compose-pull-request.ts";
import type { ReviewResult } from "../review-change.ts";
import type { JobContext } from "../recipe.ts";
import { isExplicit } from "../review-job.ts";
import type { PreparedRun } from "./prepare-run.ts";
import type { PullRequestDeps } from "./run-deps.ts";
import { rememberPending } from "./remember-findings.ts";
import { encodeState } from "../review-state.ts";

export async function publishRun(
  { pullRequest, session, context, run, request, triggers, prepared, change }: PreparedRun,
  { publication, leftBehind }: ReviewResult,
  { store: { database }, oneShot }: Pick<PullRequestDeps, "store" | "oneShot">,
): Promise<PublishOutcome> {
  await context.step("publishing");
  await database.transaction((sql) => rememberPending({ pullRequest, run, publication, leftBehind }, sql));
  const { failOn, autoApprove, drafts, summary } = prepared.config.tree.root.values.review;
  // Kodiai doesn't approve what it wrote itself.
  const mayApprove = autoApprove && pullRequest.isOwn !== true && !change.commits.some(isOwnCommit);
  const policy = {
    failOn,
    autoApprove: mayApprove,
    summary,
    isSummaryOnly: oneShot?.isSummaryOnly ?? false,
    url: pullRequest.url,
    state: encodeState(leftBehind),
    mention: await session.mention(),
  };
  return session.reviews.publish({
    pullRequest,
    compose: (moved, threads) => composePullRequest(publication, policy, moved, threads),
    threadsToResolve: threadsOf(publication),
    journal: run.journal,
    request,
    guard: publishGuard(context),
    // The review of a head that is taken up again was wanted before.
    mayBeDraft: drafts || triggers.some((trigger) => isExplicit(trigger) || trigger === "model-back"),
  });
}

/** The threads of findings that are proven to be fixed. A person who wrote last decides about the thread. */
function threadsOf({ resolved }: Publication): readonly string[] {
  return resolved.flatMap(({ prior: { thread } }) =>
    thread !== null && !thread.isResolved && !thread.isReplied ? [thread.id] : [],
  );
}

/** Only the worker that holds the lease writes. */
export function publishGuard({ lease }: Pick<JobContext, "lease">): PublishGuard {
  return async () => {
    const state = await lease();
    return state === "held" ? "go" : state;
  };
}
