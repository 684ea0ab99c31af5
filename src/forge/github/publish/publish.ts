/**
 * Publishing exactly once: the review, then the summary, then the check. Each part is noted durably before it is sent and
 * after it is done, so that the same call after a crash goes on where it stopped, and writes nothing when all is done.
 */
import type { PullRequestPublication } from "../../../review/publication/pull-request-publication.ts";
import type { PublishOutcome, PublishRequest } from "../../forge.ts";
import { isGithubError } from "../github-error.ts";
import { checkHash, writeCheck } from "./publish-check.ts";
import { movedSince, publishGithubReview } from "./publish-review.ts";
import { isSummaryCurrent, publishSummary, summaryHash } from "./publish-summary.ts";
import { findStop, waitForFate, type PublishDeps, type Publishing, type Stop } from "./publishing.ts";

export async function publish(request: PublishRequest, deps: PublishDeps): Promise<PublishOutcome> {
  try {
    return await publishParts(request, deps);
  } catch (error) {
    if (!isGithubError(error) || error.retryAtMs === null) throw error;
    return { kind: "wait", untilMs: error.retryAtMs, reason: error.code };
  }
}

async function publishParts(request: PublishRequest, deps: PublishDeps): Promise<PublishOutcome> {
  const intended = request.compose([]);
  const { head } = intended;
  const publishing: Publishing = { ...deps, request, head };
  const done = await findDone(publishing, intended);
  if (done !== null) return done;
  const stop = await findStop(publishing);
  if (stop !== null) return stop;

  const review = await publishGithubReview(publishing, intended);
  if (review.kind === "stop") return review.stop;

  const composed = request.compose(review.moved);
  const summaryStop = await findSummaryStop(publishing, composed.summary, review);
  if (summaryStop !== null) return summaryStop;
  const summary = await publishSummary(publishing, composed.summary);
  if (summary.kind !== "done") return summary;

  const isLost = async (): Promise<boolean> => (await request.guard()) === "lost";
  const target = { pullRequest: request.pullRequest, head, journal: request.journal, isLost };
  const check = await writeCheck(target, composed.check, deps);
  if (check.kind === "lost") return check;
  if (check.kind === "unknown") return waitForFate("check", check.untilMs);
  return {
    kind: "published",
    reviewId: review.id,
    summaryId: summary.id,
    checkId: check.id,
    moved: review.moved,
  };
}

/** All of it was written by an earlier call that could not say so: whatever happened to the pull request since. */
async function findDone(
  publishing: Publishing,
  intended: PullRequestPublication,
): Promise<PublishOutcome | null> {
  const { request } = publishing;
  const [review, summary, check] = await Promise.all([
    request.journal.read("review"),
    request.journal.read("summary"),
    request.journal.read("check"),
  ]);
  if (summary?.state !== "published" || check?.state !== "published") return null;
  if (intended.review !== null && review?.state !== "published") return null;
  const moved = movedSince(review, publishing, intended);
  const composed = request.compose(moved);
  const isCurrent =
    summary.bodyHash === summaryHash(composed.summary) && check.bodyHash === checkHash(composed.check);
  if (!isCurrent) return null;
  const reviewId = review?.state === "published" ? review.externalId : null;
  return { kind: "published", reviewId, summaryId: summary.externalId, checkId: check.externalId, moved };
}

/**
 * Asks once more before the summary, unless there is nothing to write. When a review is visible already, its summary
 * belongs to it: then only a lost lease stops us, since another worker goes on with it.
 */
async function findSummaryStop(
  publishing: Publishing,
  summary: string,
  review: { readonly id: number | null; readonly isJustSubmitted: boolean },
): Promise<Stop | null> {
  if (await isSummaryCurrent(publishing, summary)) return null;
  if (!review.isJustSubmitted) return findStop(publishing);
  return (await publishing.request.guard()) === "lost" ? { kind: "lost" } : null;
}
