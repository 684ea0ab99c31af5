/**
 * Posts the pending review, completely or without the comments that GitHub rejects. The journal records each request before
 * it is sent, and no request is retried automatically.
 */
import { reachFaultPoint } from "../../../base/fault-point.ts";
import type {
  InlineComment,
  MovedFinding,
  PullRequestPublication,
} from "../../../review/publication/pull-request-publication.ts";
import type { JournalEntry } from "../../forge.ts";
import { hasStatus, isOutcomeUnknown } from "../github-error.ts";
import { withMarker } from "../text-limits.ts";
import { continueSearch, nextStep, startSearch } from "./refusal-search.ts";
import { findStop, type Publishing, scopeOf, waitForLateEffect, type Stop } from "./publishing.ts";
import { movedFindings, renderMarker, type GithubReviewPlan, toMoved } from "./review-plan.ts";

export type PendingReview =
  | { readonly kind: "pending" | "submitted"; readonly intent: JournalEntry; readonly id: number }
  /** No comments on lines are left. */
  | { readonly kind: "nothing-to-post"; readonly intent: JournalEntry }
  /** The account has a pending review that isn't Kodiai's, and GitHub allows no other. */
  | { readonly kind: "blocked" }
  | { readonly kind: "stop"; readonly stop: Stop };

export type PostedReview = PendingReview | LookAgain;

/** A review may exist, or certainly does if `isThere`. */
type LookAgain = { readonly kind: "look-again"; readonly intent: JournalEntry; readonly isThere: boolean };

const TRIAL_TEXT = "Kodiai is testing which lines allow comments.";

export async function createReview(plan: GithubReviewPlan, intent: JournalEntry): Promise<PostedReview> {
  const { publishing, review } = plan;
  const moved = movedFindings(intent.marker, plan);
  const whole = await postFinal(plan, moved);
  if (whole.kind !== "refused") return whole;
  // The rejection may have another reason than the lines, such as a head that no longer exists.
  const stop = await findStop(publishing);
  if (stop !== null) return { kind: "stop", stop };
  if (review.comments.length === 0) throw whole.error;
  return placeComments(plan);
}

/** Finds the comments that GitHub rejects, and posts the rest. */
async function placeComments(plan: GithubReviewPlan): Promise<PostedReview> {
  const { publishing, review } = plan;
  const { number } = publishing.request.pullRequest;
  let search = startSearch(review.comments.length);
  for (;;) {
    const step = nextStep(search);
    const chosen = new Set(step.kind === "try" ? step.items : step.accepted);
    if (step.kind === "try" && !step.isLast) {
      const trial = await postTrial(
        plan,
        review.comments.filter((_, index) => chosen.has(index)),
      );
      if (trial.kind === "look-again") return trial;
      if (trial.kind === "accepted") await publishing.calls.deletePendingReview(number, trial.id);
      search = continueSearch(search, trial.kind === "accepted");
      continue;
    }
    const final = await postFinal(
      plan,
      review.comments.filter((_, index) => !chosen.has(index)).map(toMoved),
    );
    if (final.kind !== "refused") return final;
    // GitHub rejects the set although it accepts each part, so all comments move to the summary.
    if (step.kind === "settled") return postNothing(plan, review.comments.map(toMoved));
    search = continueSearch(search, false);
  }
}

type Posted = PostedReview | { readonly kind: "refused"; readonly error: unknown };

/** Posts the final review, without the moved findings. */
async function postFinal(plan: GithubReviewPlan, moved: readonly MovedFinding[]): Promise<Posted> {
  const { publishing } = plan;
  const composed = publishing.request.compose(moved);
  const { review } = composed;
  const isMoved = new Set(moved.map(({ findingId }) => findingId));
  const comments = (review?.comments ?? []).filter(({ findingId }) => !isMoved.has(findingId));
  if (review === null || (comments.length === 0 && moved.length > 0 && review.event === "comment")) {
    return postNothing(plan, moved);
  }
  const marker = renderMarker(plan, moved);
  const body = withMarker(withState(review.body, composed, plan), marker);
  const posted = await post(plan, { marker, body, comments });
  if (posted.kind !== "accepted") return posted;
  reachFaultPoint("after-create");
  const intent: JournalEntry = { ...posted.intent, state: "created", externalId: posted.id };
  await publishing.request.journal.write("review", intent);
  return { kind: "pending", intent, id: posted.id };
}

/** Without a summary, the review keeps the state. Its own marker comes last. */
function withState(
  body: string,
  { isSummaryWanted, state }: PullRequestPublication,
  { publishing, bodyHash }: GithubReviewPlan,
): string {
  if (isSummaryWanted || state === "") return body;
  const scope = scopeOf(publishing, "summary");
  return withMarker(body, publishing.markers.render(scope, { bodyHash, moved: [], state }));
}

/** Posts a review that is never submitted. It has a separate marker, so that after a crash it is deleted and not adopted. */
async function postTrial(plan: GithubReviewPlan, comments: readonly InlineComment[]): Promise<Attempted> {
  const scope = scopeOf(plan.publishing, "trial");
  const trial = plan.publishing.markers.render(scope, { bodyHash: plan.bodyHash, moved: [] });
  return post(plan, { marker: renderMarker(plan, []), body: withMarker(TRIAL_TEXT, trial), comments });
}

async function postNothing(plan: GithubReviewPlan, moved: readonly MovedFinding[]): Promise<PendingReview> {
  const intent: JournalEntry = {
    state: "published",
    bodyHash: plan.bodyHash,
    marker: renderMarker(plan, moved),
    externalId: null,
    attemptedAt: null,
  };
  await plan.publishing.request.journal.write("review", intent);
  return { kind: "nothing-to-post", intent };
}

type Attempted =
  | { readonly kind: "accepted"; readonly id: number; readonly intent: JournalEntry }
  | LookAgain
  | { readonly kind: "refused"; readonly error: unknown };

/** Sends one POST and records it before. Never retries it automatically. */
async function post(
  { publishing, bodyHash }: GithubReviewPlan,
  {
    marker,
    body,
    comments,
  }: { readonly marker: string; readonly body: string; readonly comments: readonly InlineComment[] },
): Promise<Attempted> {
  const { request, calls, head, now } = publishing;
  const attempt: JournalEntry = {
    state: "attempted",
    bodyHash,
    marker,
    externalId: null,
    attemptedAt: now(),
  };
  await request.journal.write("review", attempt);
  try {
    const marked = comments.map((comment) => withFinding(publishing, comment));
    const id = await calls.createReview(request.pullRequest.number, { head, body, comments: marked });
    return { kind: "accepted", id, intent: attempt };
  } catch (error) {
    if (isOutcomeUnknown(error)) {
      await waitForLateEffect(publishing);
      return { kind: "look-again", intent: attempt, isThere: false };
    }
    const intent: JournalEntry = { ...attempt, state: "intended", attemptedAt: null };
    await request.journal.write("review", intent);
    if (!hasStatus(error, 422)) throw error;
    const isThere = /pending review/i.test(error.call.words);
    return isThere ? { kind: "look-again", intent, isThere } : { kind: "refused", error };
  }
}

/** The marker is added last, so that the hash of a review doesn't depend on the secret that signs it. */
function withFinding({ request, markers }: Publishing, comment: InlineComment): InlineComment {
  const { repositoryRef, number } = request.pullRequest;
  const { findingId, otherIds = [] } = comment;
  const marker = markers.renderFinding({ ...repositoryRef, number }, findingId, otherIds);
  return { ...comment, body: withMarker(comment.body, marker) };
}
