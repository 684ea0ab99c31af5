/** Prepares the review of a run: the author's standing, trusted tags, policy and analysis. */
import type { CodeIndex } from "../../code-index/code-index.ts";
import { createWriteAccess, gatherTagTrust, type WriteAccess } from "../gathering/gather-access.ts";
import { gatherAuthor } from "../gathering/gather-author.ts";
import { gatherOrganizationConfig } from "../gathering/gather-organization-config.ts";
import type { PreparedReview } from "../gathering/prepared-review.ts";
import type { ReviewDeps } from "../gathering/prepare-review.ts";
import type { ModelAccess } from "../model-review/model-access.ts";
import { makeSuppressions } from "../memory/make-suppressions.ts";
import { openTeamMemory } from "../memory/open-team-memory.ts";
import { pullRequestModels } from "../reading/pull-request-models.ts";
import type { ChangeReview } from "../review-change.ts";
import { isExplicit } from "../review-job.ts";
import { statisticsDays } from "./figure-origin.ts";
import type { OpenRun } from "./open-run.ts";
import { createPastBumps } from "./remember-bumps.ts";
import { reviewerOf } from "./reviewer-of.ts";
import type { PullRequestDeps } from "./run-deps.ts";

export type PreparedRun = OpenRun & {
  readonly review: ChangeReview;
  readonly reviewDeps: ReviewDeps;
  readonly prepared: PreparedReview;
  readonly hasWriteAccess: WriteAccess;
  /** The author's access; the gate may restrict it. */
  readonly models: ModelAccess;
};

export async function prepareRun(
  opened: OpenRun,
  codeIndex: CodeIndex,
  deps: Pick<PullRequestDeps, "store" | "code" | "memory" | "models" | "openReview" | "version" | "oneShot">,
): Promise<PreparedRun> {
  const { pullRequest, session, context, change, run, requests, triggers, degradations } = opened;
  const { database, now } = deps.store;
  const author = await gatherAuthor(pullRequest, session.people, { database, now, degradations });
  const hasWriteAccess = createWriteAccess(pullRequest, session.people, degradations);
  const reviewDeps = reviewDepsOf(opened, codeIndex, deps);
  const review = deps.openReview(reviewDeps, degradations, run.id);
  const prepared = await review.prepare({
    change,
    organization: await gatherOrganizationConfig(session.contents, pullRequest.isPrivate),
    givenConfig: deps.oneShot?.givenConfig ?? null,
    verify: deps.oneShot?.verify ?? null,
    sarif: deps.oneShot?.readSarif(change) ?? [],
    isExplicit: triggers.some(isExplicit),
    isFull: requests.some(({ isFull }) => isFull),
    tags: await gatherTagTrust(pullRequest, change, hasWriteAccess),
    author,
    prior: run.prior,
  });
  const { memory, feedback, telemetry } = prepared.config.tree.root.values;
  context.keepStatistics(statisticsDays(telemetry));
  const { repositoryId } = pullRequest.repositoryRef;
  if (memory.enabled)
    await degradations.optional("feedback", () => makeSuppressions(repositoryId, feedback, deps.store));
  const permit = { isGranted: true, login: pullRequest.author.login, isOutsider: true };
  const models = pullRequestModels({ pullRequest, run, permit }, { models: deps.models, database, now });
  return { ...opened, review, reviewDeps, prepared, hasWriteAccess, models };
}

function reviewDepsOf(
  { repository, reader, session, pullRequest, context }: OpenRun,
  codeIndex: CodeIndex,
  { store, code, memory, version }: Pick<PullRequestDeps, "store" | "code" | "memory" | "version">,
): ReviewDeps {
  const { database, now } = store;
  const readPastBumps = createPastBumps(pullRequest.repositoryRef.repositoryId, database);
  const tools = { code, now, version };
  return {
    ...reviewerOf({ repository, reader, context }, tools, { codeIndex, readPastBumps }),
    teamMemory: openTeamMemory(pullRequest, { database, memory, now, log: context.log }),
    readChecks: () => session.checks.read(pullRequest.head),
  };
}
