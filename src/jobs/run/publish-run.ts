/** Publishes a review exactly once. Its findings are stored first, so that a crash can't publish them twice. */
import type { PublishGuard, PublishOutcome } from "../../forge/forge.ts";
import { composePullRequest } from "../../review/publication/compose/compose-pull-request.ts";
import type { Publication } from "../../review/publication/publication.ts";
import type { JobContext } from "../recipe.ts";
import { isExplicit } from "../review-job.ts";
import type { PreparedRun } from "./prepare-run.ts";
import { rememberRun } from "./remember-findings.ts";
import type { RunDeps } from "./run-deps.ts";

export async function publishRun(
  { pullRequest, session, run, request, triggers, prepared }: PreparedRun,
  publication: Publication,
  { context, database }: RunDeps,
): Promise<PublishOutcome> {
  await context.step("publishing");
  await database.transaction((sql) => rememberRun({ pullRequest, run, publication, reportedAt: null }, sql));
  const { failOn, autoApprove, drafts } = prepared.config.tree.root.values.review;
  return session.publish({
    pullRequest,
    compose: (moved) => composePullRequest(publication, { failOn, autoApprove, url: pullRequest.url }, moved),
    threadsToResolve: [],
    journal: run.journal,
    request,
    guard: publishGuard(context),
    mayBeDraft: drafts || triggers.some(isExplicit),
  });
}

/** Only the worker that holds the lease writes. */
export function publishGuard({ lease }: Pick<JobContext, "lease">): PublishGuard {
  return async () => {
    const state = await lease();
    return state === "held" ? "go" : state;
  };
}
