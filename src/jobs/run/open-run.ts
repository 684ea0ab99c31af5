/** Opens a run: reads the pull request as it is now, collects every request it answers, and claims its record. */
import type { ForgeSession } from "../../forge/forge.ts";
import { type GatheredRequest, gatherRequests, triggersOf } from "../gathering/gather-requests.ts";
import { readEarlier } from "../gathering/gather-prior-review.ts";
import type { StoredReview } from "../review-state.ts";
import { openPullRequest, type OpenedPullRequest } from "../gathering/open-pull-request.ts";
import { createDegradations, type Degradations } from "../gathering/optional.ts";
import type { JobOutcome } from "../recipe.ts";
import type { ReviewJob, ReviewTrigger } from "../review-job.ts";
import { acknowledge } from "./acknowledge.ts";
import { claimReviewRun, type ReviewRun } from "./claim-review-run.ts";
import { closeForClosedPullRequest, closeReplacedRuns } from "./close-unfinished-runs.ts";
import { findUnfinishedRuns, requestToPublish } from "./find-unfinished-runs.ts";
import type { RunDeps } from "./run-deps.ts";

export type OpenRun = OpenedPullRequest & {
  readonly reviewJob: ReviewJob;
  readonly session: ForgeSession;
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
  reviewJob: ReviewJob,
  session: ForgeSession,
  deps: RunDeps,
): Promise<Step<OpenRun>> {
  const { context } = deps;
  await context.step("reading the pull request");
  // Requesters outside the team get a reaction only after the gates have allowed their review.
  if (reviewJob.requester?.isInsider !== false) await acknowledge(reviewJob, session, context);
  const { repositoryRef, number } = reviewJob;
  const key = { repositoryId: repositoryRef.repositoryId, pullRequest: number };
  const earlier = await readEarlier(key, { ...deps, session });
  const opened = await openPullRequest({ number, earlierRuns: earlier.runs }, session, deps);
  if (opened === null)
    return { kind: "end", outcome: await closeForClosedPullRequest(reviewJob, { ...deps, session }) };
  try {
    return await claim({ ...opened, earlier, reviewJob, session }, deps);
  } catch (error) {
    opened.repository.close();
    throw error;
  }
}

type Opened = OpenedPullRequest & Pick<OpenRun, "reviewJob" | "session"> & { readonly earlier: StoredReview };

async function claim(opened: Opened, deps: RunDeps): Promise<Step<OpenRun>> {
  const { pullRequest, session } = opened;
  const { context, database } = deps;
  await context.step("analysing");
  const requests = await gatherRequests(context.job, deps.queue);
  const triggers = triggersOf(requests);
  const unfinished = await findUnfinishedRuns(requests, database);
  const request = requestToPublish(requests, unfinished, pullRequest.head);
  const degradations = createDegradations(context.signal);
  const run = await claimReviewRun({ ...opened, degradations, triggers, request }, deps);
  if (run.finished !== null) {
    for (const each of requests) await acknowledge(each, session, context, "+1");
    opened.repository.close();
    return { kind: "end", outcome: run.finished };
  }
  await closeReplacedRuns({ unfinished, pullRequest, run }, { ...deps, session });
  return { kind: "next", value: { ...opened, requests, triggers, request, run, degradations } };
}
