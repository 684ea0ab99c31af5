/** Prepares the review of a run: the author's standing, trusted tags, policy and analysis. */
import type { CodeIndex } from "../../code-index/code-index.ts";
import { createWriteAccess, gatherTagTrust, type WriteAccess } from "../gathering/gather-access.ts";
import { gatherAuthor } from "../gathering/gather-author.ts";
import { createReviewDeps } from "../gathering/create-review-deps.ts";
import type { PreparedReview, ReviewDeps } from "../gathering/prepare-review.ts";
import type { ModelAccess } from "../model-review/model-access.ts";
import { makeSuppressions } from "../memory/make-suppressions.ts";
import { openTeamMemory } from "../memory/open-team-memory.ts";
import { pullRequestModels } from "../reading/pull-request-models.ts";
import type { ChangeReview } from "../review-change.ts";
import { isExplicit } from "../review-job.ts";
import { statisticsDays } from "./figure-origin.ts";
import type { OpenRun } from "./open-run.ts";
import { createPastBumps } from "./remember-bumps.ts";
import { reportProgress } from "./report-progress.ts";
import type { RunDeps } from "./run-deps.ts";

export type PreparedRun = OpenRun & {
  readonly review: ChangeReview;
  readonly reviewDeps: ReviewDeps;
  readonly prepared: PreparedReview;
  readonly hasWriteAccess: WriteAccess;
  /** The author's access; the gate may restrict it. */
  readonly models: ModelAccess;
};

export async function prepareRun(opened: OpenRun, codeIndex: CodeIndex, deps: RunDeps): Promise<PreparedRun> {
  const { pullRequest, session, change, run, requests, triggers, degradations } = opened;
  const author = await gatherAuthor(pullRequest, session, { ...deps, degradations });
  const hasWriteAccess = createWriteAccess(pullRequest, session, degradations);
  const reviewDeps = reviewDepsOf(opened, codeIndex, deps);
  const review = deps.openReview(reviewDeps, degradations, run.id);
  const prepared = await review.prepare({
    change,
    givenConfig: null,
    isExplicit: triggers.some(isExplicit),
    isFull: requests.some(({ isFull }) => isFull),
    tags: await gatherTagTrust(pullRequest, change, hasWriteAccess),
    author,
    prior: run.prior,
  });
  deps.context.keepStatistics(statisticsDays(prepared.config.tree.root.values.telemetry));
  const { memory, feedback } = prepared.config.tree.root.values;
  const { repositoryId } = pullRequest.repositoryRef;
  if (memory.enabled)
    await degradations.optional("feedback", () => makeSuppressions(repositoryId, feedback, deps));
  const permit = { isGranted: true, login: pullRequest.author.login, isOutsider: true };
  const models = pullRequestModels({ pullRequest, run, permit }, deps);
  return { ...opened, review, reviewDeps, prepared, hasWriteAccess, models };
}

function reviewDepsOf(
  { repository, session, pullRequest }: OpenRun,
  codeIndex: CodeIndex,
  deps: RunDeps,
): ReviewDeps {
  const { reader, analysers, lookups, database, memory, now, version, context } = deps;
  const sources = {
    repository,
    reader,
    analysers,
    lookups,
    readPastBumps: createPastBumps(pullRequest.repositoryRef.repositoryId, database),
    codeIndex,
    now,
    signal: context.signal,
    onProgress: reportProgress(context, now),
  };
  return {
    ...createReviewDeps(sources, version),
    teamMemory: openTeamMemory(pullRequest, { database, memory, now, log: context.log }),
    readChecks: () => session.readChecks(pullRequest.head),
  };
}
