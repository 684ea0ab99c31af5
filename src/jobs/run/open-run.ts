/** Opens a run: reads the pull request as it is now, collects every request it answers, and claims its record. */
import { hashParts } from "../../base/hash.ts";
import { type GatheredRequest, gatherRequests, triggersOf } from "../gathering/gather-requests.ts";
import { readEarlier } from "../gathering/gather-prior-review.ts";
import type { StoredReview } from "../review-state.ts";
import { openPullRequest, type OpenedPullRequest } from "../gathering/open-pull-request.ts";
import { createDegradations, type Degradations } from "../gathering/optional.ts";
import type { JobStore } from "../job-store.ts";
import type { JobOutcome } from "../recipe.ts";
import type { ReviewTrigger } from "../review-job.ts";
import { acknowledge } from "./acknowledge.ts";
import { claimReviewRun, type ReviewRun } from "./claim-review-run.ts";
import { closeForClosedPullRequest, closeReplacedRuns } from "./close-unfinished-runs.ts";
import { findUnfinishedRuns, requestToPublish } from "./find-unfinished-runs.ts";
import type { PullRequestDeps, ReviewAttempt } from "./run-deps.ts";

export type OpenRun = OpenedPullRequest &
  ReviewAttempt & {
    /** The job's own request, then those of the jobs it replaced. */
    readonly requests: readonly GatheredRequest[];
    readonly triggers: readonly ReviewTrigger[];
    /** Identifies the review among those of the same head. */
    readonly request: string;
    readonly run: ReviewRun;
    readonly degradations: Degradations;
  };

/** The value for the next step, or the outcome that ends the job here. */
export type Step<Value> =
  | { readonly kind: "next"; readonly value: Value }
  | { readonly kind: "end"; readonly outcome: JobOutcome };

export async function openRun(
  attempt: ReviewAttempt,
  { repositories, store, oneShot }: Pick<PullRequestDeps, "repositories" | "store" | "oneShot">,
): Promise<Step<OpenRun>> {
  const { reviewJob, session, context } = attempt;
  await context.step("reading the pull request");
  // Requesters outside the team get a reaction only after the gates have allowed their review.
  if (reviewJob.requester?.isInsider !== false) await acknowledge(reviewJob, session.comments, context);
  const { repositoryRef, number } = reviewJob;
  const key = { repositoryId: repositoryRef.repositoryId, pullRequest: number };
  const { database } = store;
  const earlier = await readEarlier(key, { database, reviews: session.reviews });
  const wanted = { number, earlierRuns: earlier.runs };
  const opened = await openPullRequest(wanted, session, { repositories, context });
  if (opened === null) return { kind: "end", outcome: await closeForClosedPullRequest(attempt, store) };
  try {
    const repeat = oneShot === undefined ? "" : nameRepeat(earlier, opened.pullRequest.head);
    return await claim(opened, { earlier, repeat }, attempt, store);
  } catch (error) {
    opened.repository.close();
    throw error;
  }
}

/**
 * Without a lasting database, only the state on the pull request says that a head was reviewed before. Another review of it gets a name
 * that every process derives from the same state, so that two of them publish one review.
 */
function nameRepeat(earlier: StoredReview, head: string): string {
  return earlier.runs[0]?.head === head ? `repeat:${hashParts([JSON.stringify(earlier)], 16)}` : "";
}

async function claim(
  opened: OpenedPullRequest,
  { earlier, repeat }: { readonly earlier: StoredReview; readonly repeat: string },
  attempt: ReviewAttempt,
  store: JobStore,
): Promise<Step<OpenRun>> {
  const { pullRequest, repository, change } = opened;
  const { reviewJob, session, context, reader } = attempt;
  const { job, log, signal } = context;
  await context.step("analysing");
  const requests = await gatherRequests(job, store.queue);
  const triggers = triggersOf(requests);
  const unfinished = await findUnfinishedRuns(requests, store);
  const request = requestToPublish(requests, unfinished, pullRequest.head) || repeat;
  const degradations = createDegradations(signal);
  const claimed = { ...opened, jobId: job.id, earlier, degradations, triggers, request };
  const run = await claimReviewRun(claimed, session, store);
  if (run.finished !== null) {
    for (const each of requests) await acknowledge(each, session.comments, context, "+1");
    repository.close();
    return { kind: "end", outcome: run.finished };
  }
  await closeReplacedRuns({ unfinished, pullRequest }, run, { job, log, session }, store);
  return {
    kind: "next",
    value: {
      reviewJob,
      session,
      context,
      reader,
      pullRequest,
      repository,
      change,
      requests,
      triggers,
      request,
      run,
      degradations,
    },
  };
}
