/**
 * The recipe for a pull request: the same review as on the command line, between reading it from the forge and publishing
 * it there exactly once. It decides nothing itself; each line is a step with a file of its own.
 */
import { reachFaultPoint } from "../base/fault-point.ts";
import type { Forge, ForgeSession, PublishGuard, PullRequest } from "../forge/forge.ts";
import type { Queue } from "../queue/queue.ts";
import type { Reader } from "../reading/reader.ts";
import type { Repository, RepositoryCache } from "../repository/repository.ts";
import type { Change } from "../review/change/change.ts";
import { composePullRequest } from "../review/publication/compose/compose-pull-request.ts";
import type { Database } from "../store/database.ts";
import { gateReview, reviewNotBefore, type SkipReason } from "./gate-review.ts";
import type { JobContext, JobOutcome, Recipe } from "./recipe.ts";
import { recordRun } from "./recording/record-run.ts";
import { reviewPrepared } from "./review-change.ts";
import { isExplicit, parseReviewJob, type ReviewJob } from "./review-job.ts";
import { acknowledge } from "./run/acknowledge.ts";
import { answerRefusal } from "./run/answer-refusal.ts";
import { claimReviewRun } from "./run/claim-review-run.ts";
import { closeForClosedPullRequest, closeReplacedRuns } from "./run/close-unfinished-runs.ts";
import { createWriteAccess, gatherTagTrust } from "./gathering/gather-access.ts";
import { gatherAuthor } from "./gathering/gather-author.ts";
import { findUnfinishedRuns, requestToPublish } from "./run/find-unfinished-runs.ts";
import { gatherRequests, triggersOf } from "./gathering/gather-requests.ts";
import { giveUpReview } from "./run/give-up-review.ts";
import { createDegradations } from "./gathering/optional.ts";
import { openPullRequest } from "./gathering/open-pull-request.ts";
import { permitReview } from "./run/permit-review.ts";
import { prepareReview, type ReviewDeps, type ReviewRequest } from "./gathering/prepare-review.ts";
import { type ModelPermit, type ModelSource, pullRequestModels } from "./reading/pull-request-models.ts";
import { rememberRun } from "./run/remember-findings.ts";
import { finishReview } from "./run/finish-review.ts";
import { skipReview } from "./run/skip-review.ts";
import { reportProgress } from "./run/report-progress.ts";

export type PullRequestDeps = {
  readonly forge: Forge;
  readonly repositories: Pick<RepositoryCache, "openPullRequest">;
  readonly queue: Queue;
  readonly database: Database;
  readonly telemetry: Database;
  /** One for each review: nothing of a change outlives its review. */
  readonly openReader: (signal: AbortSignal) => Promise<Reader>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly version: string;
  readonly models: ModelSource;
};

export function createReviewRecipe(deps: PullRequestDeps): Recipe {
  return {
    async run(context) {
      const asked = parseReviewJob(context.job.payload);
      reachFaultPoint("after-claim", asked.number);
      const reader = await deps.openReader(context.signal);
      const session = deps.forge.openSession(asked.repositoryRef);
      try {
        return await reviewPullRequest(asked, session, { ...deps, context, reader });
      } finally {
        reader.close();
        await session.close();
      }
    },
    giveUp: (job, why) => giveUpReview(job, why, deps),
  };
}

type JobDeps = PullRequestDeps & { readonly context: JobContext; readonly reader: Reader };

async function reviewPullRequest(
  asked: ReviewJob,
  session: ForgeSession,
  deps: JobDeps,
): Promise<JobOutcome> {
  const { context } = deps;
  await context.step("reading the pull request");
  // Others hear of it once it is known that they get a review.
  if (asked.asker?.isInsider !== false) await acknowledge(asked, session, context);
  const opened = await openPullRequest(asked, session, deps);
  if (opened === null) return closeForClosedPullRequest(asked, { ...deps, session });
  try {
    return await reviewOpened({ asked, session, ...opened }, deps);
  } finally {
    opened.repository.close();
  }
}

type OpenedReview = {
  readonly asked: ReviewJob;
  readonly session: ForgeSession;
  readonly pullRequest: PullRequest;
  readonly repository: Repository;
  readonly change: Change;
};

async function reviewOpened(opened: OpenedReview, deps: JobDeps): Promise<JobOutcome> {
  const { pullRequest, session, repository, change } = opened;
  const { context } = deps;
  const { signal } = context;
  await context.step("analysing");
  const degradations = createDegradations(signal);
  const requests = await gatherRequests(context.job, deps.queue);
  const triggers = triggersOf(requests);
  const left = await findUnfinishedRuns(requests, deps.database);
  const request = requestToPublish(requests, left, pullRequest.head);
  const run = await claimReviewRun({ ...opened, triggers, request }, deps);
  if (run.finished !== null) {
    for (const each of requests) await acknowledge(each, session, context, "+1");
    return run.finished;
  }
  await closeReplacedRuns({ left, pullRequest, run }, { ...deps, session });
  const author = await gatherAuthor(pullRequest, session, { ...deps, degradations });
  const hasWriteAccess = createWriteAccess(pullRequest, session, degradations);
  const reviewRequest: ReviewRequest = {
    change,
    givenConfig: null,
    isExplicit: triggers.some(isExplicit),
    tags: await gatherTagTrust(pullRequest, change, hasWriteAccess),
    author,
    alreadyTold: run.alreadyTold,
    listedBefore: run.listedBefore,
  };
  let permit: ModelPermit = { isGranted: true, login: pullRequest.author.login };
  const reviewDeps: ReviewDeps = {
    ...deps,
    repository,
    signal,
    models: pullRequestModels({ pullRequest, session, run, permit: () => permit }, deps),
    onProgress: reportProgress(context, deps.now),
  };
  const watched = deps.models.settings.recordsRuns ? await recordRun(reviewDeps, deps) : null;
  const prepared = await prepareReview(reviewRequest, {
    repository: watched?.deps.repository ?? repository,
    degradations,
  });
  const { values: config } = prepared.config.tree.root;
  const { analysis } = prepared;
  const { lastReviewed } = run;
  const gate = { pullRequest, config, analysis, lastReviewed, base: change.base ?? "" };
  const guard: PublishGuard = async () => {
    const lease = await context.lease();
    return lease === "held" ? "go" : lease;
  };
  const skip = (reason: SkipReason): Promise<JobOutcome> =>
    skipReview(
      reason,
      { ...opened, requests, run, request, prepared, guard },
      { ...deps, review: reviewDeps },
    );
  const unwanted = gateReview({ ...gate, triggers });
  if (unwanted !== null) return skip(unwanted);
  const untilMs = reviewNotBefore({ triggers, config }, context.job.createdAt);
  if (untilMs > deps.now()) return { state: "wait", untilMs, reason: "debounced" };

  const automatic = triggers.filter((trigger) => !isExplicit(trigger));
  const isRequestOnly = gateReview({ ...gate, triggers: automatic }) !== null;
  const decision = await permitReview(
    { ...opened, requests, run, config, wantsAnswer: isRequestOnly },
    { ...deps, access: reviewDeps.models, degradations, hasWriteAccess },
  );
  if (decision !== null) permit = { isGranted: decision.kind === "granted", login: decision.by.login };
  if (decision?.kind === "refused" && isRequestOnly) {
    await answerRefusal({ ...opened, decision, run }, deps);
    return skip("skipped:request-limit");
  }
  if (opened.asked.asker?.isInsider === false) await acknowledge(opened.asked, session, context);

  deps.reader.warm();
  await degradations.optional("check run", () => session.startCheck(pullRequest, run.journal));
  await context.step("reviewing");
  const reviewed = await reviewPrepared(prepared, watched?.deps ?? reviewDeps);
  const publication =
    watched === null
      ? reviewed.publication
      : await watched.keep({ request: reviewRequest, publication: reviewed.publication, runId: run.id });
  reachFaultPoint("after-findings", pullRequest.number);

  await context.step("publishing");
  await deps.database.transaction((sql) => rememberRun({ pullRequest, run, publication, toldAt: null }, sql));
  const outcome = await session.publish({
    pullRequest,
    compose: (moved) => composePullRequest(publication, config.review, moved),
    journal: run.journal,
    request,
    guard,
    mayBeDraft: config.review.drafts || triggers.some(isExplicit),
  });
  // The author took it back while it was reviewed.
  if (outcome.kind === "draft") return skip("skipped:draft");
  return finishReview(outcome, { ...opened, run, publication, requests }, deps);
}
