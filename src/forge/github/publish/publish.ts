/**
 * Publishes exactly once: the review, then resolved threads, then the summary, then the check. The journal records each part before it is sent and
 * after it is done, so after a crash the same call resumes where it stopped, and writes nothing if everything is done.
 */
import type { PullRequestPublication } from "../../../review/publication/pull-request-publication.ts";
import type { PartState, PublishOutcome, PublishRequest } from "../../forge.ts";
import { isGithubError } from "../github-error.ts";
import { checkHash, writeCheck } from "./publish-check.ts";
import { publishAlone } from "./publish-alone.ts";
import { type ReviewDone, movedSince, publishGithubReview } from "./publish-review.ts";
import { isSummaryCurrent, isSummaryPublished, publishSummary, summaryHash } from "./publish-summary.ts";
import { resolveThreads } from "./resolve-threads.ts";
import {
  findStop,
  type PublishDeps,
  type Publishing,
  type Stop,
  unlessRefused,
  waitForOutcome,
} from "./publishing.ts";

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

  const posted = await unlessRefused(publishing, () => publishGithubReview(publishing, intended));
  if (posted?.kind === "stop") return posted.stop;

  return publishAlone(publishing, () => publishRest(publishing, intended, posted));
}

/** Everything after the review. `posted` is null if the token may not write reviews. */
async function publishRest(
  publishing: Publishing,
  intended: PullRequestPublication,
  posted: ReviewDone | null,
): Promise<PublishOutcome> {
  const { request, head } = publishing;
  const review = posted ?? withoutReview(intended);
  const unresolvedThreads = await resolveThreads(publishing);
  const composed = request.compose(review.moved);
  const summaryStop = await findSummaryStop(publishing, composed, review);
  if (summaryStop !== null) return summaryStop;
  const linked = review.id === null ? composed : request.compose(review.moved, await readUrls(publishing));
  const summary = await unlessRefused(publishing, () =>
    publishSummary(publishing, linked, summaryHash(composed)),
  );
  if (summary !== null && summary.kind !== "done") return summary;

  const isLost = async (): Promise<boolean> => (await request.guard()) === "lost";
  const target = { pullRequest: request.pullRequest, head, journal: request.journal, isLost };
  const check = await unlessRefused(publishing, () =>
    writeCheck(target, linked.check, publishing, checkHash(composed.check)),
  );
  if (check?.kind === "lost") return check;
  if (check?.kind === "unknown") return waitForOutcome("check", check.untilMs);
  const [reviewId, summaryId, checkId] = [review.id, summary?.id ?? null, check?.id ?? null];
  return {
    kind: "published",
    reviewId,
    summaryId,
    checkId,
    moved: review.moved,
    written: {
      review: stateOfPart(reviewId, posted === null),
      summary: stateOfPart(summaryId, summary === null),
      check: stateOfPart(checkId, check === null),
    },
    unresolvedThreads,
  };
}

function stateOfPart(id: number | null, isRefused: boolean): PartState {
  if (isRefused) return "read-only-token";
  return id === null ? "not-needed" : "written";
}

/** For people, below a finding that the summary shows instead of its line. */
const REVIEW_REFUSED = "the token can't write reviews";

/** The summary shows what the review would have shown. */
function withoutReview({ review }: PullRequestPublication): ReviewDone {
  const moved = (review?.comments ?? []).map(({ findingId }) => ({ findingId, reason: REVIEW_REFUSED }));
  return { kind: "done", id: null, moved, isJustSubmitted: false };
}

/** The addresses of the app's comments by finding. Hashes don't depend on them, because lists lag. */
async function readUrls({ readThreads, request, log }: Publishing): Promise<ReadonlyMap<string, string>> {
  try {
    const threads = await readThreads(request.pullRequest.number);
    // A finding that came back has several; the last one counts.
    return new Map(threads.map(({ findingId, url }) => [findingId, url]));
  } catch (error) {
    if (!isGithubError(error)) throw error;
    log.warn("reading threads failed, so the summary links to lines", { reason: error.message });
    return new Map();
  }
}

/** Returns the outcome if an earlier call published everything but couldn't report it. */
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
  if (check?.state !== "published") return null;
  if (intended.review !== null && review?.state !== "published") return null;
  const moved = movedSince(review, publishing, intended);
  const composed = request.compose(moved);
  if (!isSummaryPublished(summary, composed, summaryHash(composed))) return null;
  if (check.bodyHash !== checkHash(composed.check)) return null;
  const reviewId = review?.state === "published" ? review.externalId : null;
  const [summaryId, checkId] = [summary.externalId, check.externalId];
  const written = {
    review: stateOfPart(reviewId, false),
    summary: stateOfPart(summaryId, false),
    check: stateOfPart(checkId, false),
  };
  return { kind: "published", reviewId, summaryId, checkId, moved, written, unresolvedThreads: 0 };
}

/**
 * Checks once more before the summary, unless the summary is up to date. If this call has just made the review visible, its
 * summary must follow, so only a lost lease stops it: another worker then continues.
 */
async function findSummaryStop(
  publishing: Publishing,
  summary: PullRequestPublication,
  review: { readonly id: number | null; readonly isJustSubmitted: boolean },
): Promise<Stop | null> {
  if (await isSummaryCurrent(publishing, summary)) return null;
  if (!review.isJustSubmitted) return findStop(publishing);
  return (await publishing.request.guard()) === "lost" ? { kind: "lost" } : null;
}
