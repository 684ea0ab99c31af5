/**
 * Publishes the review: prepares it as a pending review, and submits it once if the pull request is unchanged. Findings that
 * GitHub doesn't allow on a line move to the summary.
 */
import { reachFaultPoint } from "../../../base/fault-point.ts";
import type {
  MovedFinding,
  PullRequestPublication,
} from "../../../review/publication/pull-request-publication.ts";
import type { JournalEntry } from "../../forge.ts";
import { hasStatus, isOutcomeUnknown } from "../github-error.ts";
import { discardPending, preparePendingReview } from "./pending-review.ts";
import {
  findStop,
  LIST_LAG_MS,
  mayAppearUntil,
  waitForOutcome,
  type Publishing,
  type Stop,
} from "./publishing.ts";
import {
  movedFindings,
  planGithubReview,
  readMarker,
  renderContent,
  type GithubReviewPlan,
} from "./review-plan.ts";

export type ReviewDone = {
  readonly kind: "done";
  /** Null if there were no findings to show on lines. */
  readonly id: number | null;
  readonly moved: readonly MovedFinding[];
  /** Whether this call made the review visible, right after checking that it may. */
  readonly isJustSubmitted: boolean;
};

type GithubReviewOutcome = ReviewDone | { readonly kind: "stop"; readonly stop: Stop };

/** GitHub rejects a second submit, so retrying is safe. */
const MAX_SUBMITS = 3;

/** If the pending review was deleted, the next attempt starts over after this delay. */
const VANISHED_WAIT_MS = 5_000;

export async function publishGithubReview(
  publishing: Publishing,
  publication: PullRequestPublication,
): Promise<GithubReviewOutcome> {
  const known = await publishing.request.journal.read("review");
  if (known?.state === "published") {
    const moved = movedSince(known, publishing, publication);
    return { kind: "done", id: known.externalId, moved, isJustSubmitted: false };
  }
  const { review } = publication;
  if (review === null) return withdraw(publishing, known);
  const plan = planGithubReview(publishing, review);
  const prepared = await preparePendingReview(plan, known);
  if (prepared.kind === "stop") return prepared;
  if (prepared.kind === "blocked")
    return { kind: "done", id: null, moved: moveAll(plan, FOREIGN_PENDING), isJustSubmitted: false };
  const done = prepared.kind === "pending" ? await submit(plan, prepared) : adopted(plan, prepared.intent);
  if (done.kind === "stop" || done.isJustSubmitted || known !== null) return done;
  return { ...done, moved: [...done.moved, ...(await findUnposted(plan, done.moved))] };
}

/** For people, below a finding that the summary shows instead of its line. */
const FOREIGN_PENDING = "the account of the token has a pending review of its own";
const OTHER_REVIEW = "another review of this commit was published first";

function moveAll({ review }: GithubReviewPlan, reason: string): readonly MovedFinding[] {
  return review.comments.map(({ findingId }) => ({ findingId, reason }));
}

/**
 * A review that another process published, which this journal doesn't know, may have found less. The summary then shows what has no
 * comment.
 */
async function findUnposted(
  plan: GithubReviewPlan,
  moved: readonly MovedFinding[],
): Promise<readonly MovedFinding[]> {
  const { readThreads, request } = plan.publishing;
  const shown = new Set(moved.map(({ findingId }) => findingId));
  for (const { findingId } of await readThreads(request.pullRequest.number)) shown.add(findingId);
  return moveAll(plan, OTHER_REVIEW).filter(({ findingId }) => !shown.has(findingId));
}

/** A review that is published already. */
function adopted(plan: GithubReviewPlan, { marker, externalId }: JournalEntry): ReviewDone {
  return { kind: "done", id: externalId, moved: movedFindings(marker, plan), isJustSubmitted: false };
}

/** Returns the findings that an existing review of this publication moved to the summary. */
export function movedSince(
  known: JournalEntry | null,
  publishing: Publishing,
  { review }: PullRequestPublication,
): readonly MovedFinding[] {
  return known === null || review === null ? [] : movedFindings(known.marker, { publishing, review });
}

/** There is nothing to post, but an earlier attempt may have left a pending or a visible review. */
async function withdraw(publishing: Publishing, known: JournalEntry | null): Promise<GithubReviewOutcome> {
  if (known === null || known.state === "intended") return nothingPosted(null);
  const { request, calls } = publishing;
  const { number } = request.pullRequest;
  const noted = known.externalId === null ? null : await calls.readReview(number, known.externalId);
  if (noted !== null && !noted.isPending) {
    await request.journal.write("review", { ...known, state: "published" });
    return nothingPosted(noted.id);
  }
  const reviews = await calls.listOwnReviews(number);
  const pending = reviews.filter(({ isPending }) => isPending);
  const openUntilMs = mayAppearUntil(known, publishing.now());
  if (pending.length === 0 && known.state === "attempted" && openUntilMs !== null) {
    return { kind: "stop", stop: waitForOutcome("review", openUntilMs) };
  }
  for (const { id } of pending) await discardPending(publishing, { ...known, externalId: id });
  if (pending.length === 0) await discardPending(publishing, known);
  return nothingPosted(null);
}

function nothingPosted(id: number | null): GithubReviewOutcome {
  return { kind: "done", id, moved: [], isJustSubmitted: false };
}

/**
 * If this worker was paused so long that another one took over, it may have created this review after the other one
 * published. Then this review is deleted and the other one is adopted. Returns its journal entry, or null if there is none.
 */
async function findSubmitted(plan: GithubReviewPlan, { id, intent }: Pending): Promise<JournalEntry | null> {
  const { publishing } = plan;
  const { request, calls } = publishing;
  const reviews = await calls.listOwnReviews(request.pullRequest.number);
  const other = reviews.find((review) => !review.isPending && readMarker(publishing, review.body) !== null);
  if (other === undefined) return null;
  if (other.id !== id) await calls.deletePendingReview(request.pullRequest.number, id);
  const content = readMarker(publishing, other.body);
  const published: JournalEntry = {
    ...intent,
    state: "published",
    marker: content === null ? intent.marker : renderContent(plan, content),
    externalId: other.id,
  };
  await request.journal.write("review", published);
  return published;
}

type Pending = { readonly id: number; readonly intent: JournalEntry };

async function submit(plan: GithubReviewPlan, pending: Pending): Promise<GithubReviewOutcome> {
  const { publishing } = plan;
  reachFaultPoint("before-submit");
  const other = await findSubmitted(plan, pending);
  if (other !== null) return adopted(plan, other);
  const stop = await findStop(publishing);
  if (stop !== null) {
    // With a lost lease, the new owner of the job may be about to submit this review.
    if (stop.kind !== "lost") await discardPending(publishing, pending.intent);
    return { kind: "stop", stop };
  }
  const result = await submitUntilVisible(plan, pending.id);
  if (result === "unknown") {
    return { kind: "stop", stop: waitForOutcome("review", publishing.now() + LIST_LAG_MS) };
  }
  if (result === "gone") {
    await discardPending(publishing, { ...pending.intent, externalId: null });
    const untilMs = publishing.now() + VANISHED_WAIT_MS;
    return { kind: "stop", stop: { kind: "wait", untilMs, reason: "review-vanished" } };
  }
  reachFaultPoint("after-submit");
  await publishing.request.journal.write("review", { ...pending.intent, state: "published" });
  const moved = movedFindings(pending.intent.marker, plan);
  return { kind: "done", id: pending.id, moved, isJustSubmitted: true };
}

async function submitUntilVisible(
  { publishing, review }: GithubReviewPlan,
  id: number,
): Promise<"visible" | "gone" | "unknown"> {
  const { calls, request } = publishing;
  const { number } = request.pullRequest;
  let event: "APPROVE" | "COMMENT" = review.event === "approve" ? "APPROVE" : "COMMENT";
  let isAnswerLost = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await calls.submitReview(number, id, event);
      return "visible";
    } catch (error) {
      const isRefused = hasStatus(error, 422);
      if (!isRefused && !isOutcomeUnknown(error) && !hasStatus(error, 404)) throw error;
      const current = await calls.readReview(number, id);
      if (current === null) return "gone";
      if (!current.isPending) return "visible";
      // Either the request without an answer took effect, or there is another reason. The state may lag, so it is unknown.
      if (isRefused && isAnswerLost) return "unknown";
      isAnswerLost ||= isOutcomeUnknown(error);
      if (attempt === MAX_SUBMITS || (isRefused && event === "COMMENT")) throw error;
      // An app may not be allowed to approve. The comments are published anyway.
      if (isRefused) event = "COMMENT";
    }
  }
}
