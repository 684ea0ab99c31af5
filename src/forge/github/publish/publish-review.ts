/**
 * The review: prepared while nobody sees it, and submitted once when everything is as it was reviewed. What GitHub refuses
 * to show on a line is moved into the summary.
 */
import { reachFaultPoint } from "../../../base/fault-point.ts";
import type {
  MovedFinding,
  PullRequestPublication,
} from "../../../review/publication/pull-request-publication.ts";
import type { JournalEntry } from "../../forge.ts";
import { hasStatus, isFateUnknown } from "../github-error.ts";
import { discardPending, preparePendingReview } from "./pending-review.ts";
import {
  findStop,
  LIST_LAG_MS,
  mayAppearUntil,
  waitForFate,
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

export type GithubReviewOutcome =
  | {
      readonly kind: "done";
      /** Null when there was nothing to say on lines. */
      readonly id: number | null;
      readonly moved: readonly MovedFinding[];
      /** Whether this very call made it visible, right after asking whether it may. */
      readonly isJustSubmitted: boolean;
    }
  | { readonly kind: "stop"; readonly stop: Stop };

/** A submit is refused when it is not the first, so that sending it again is safe; this often is enough for bad days. */
const MAX_SUBMITS = 3;

/** Somebody deleted the review while it was pending; the next try starts anew. */
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
  if (prepared.kind === "pending") return submit(plan, prepared);
  const { marker, externalId } = prepared.intent;
  return { kind: "done", id: externalId, moved: movedFindings(marker, plan), isJustSubmitted: false };
}

/** What of this publication a review that stands there already has left to the summary. */
export function movedSince(
  known: JournalEntry | null,
  publishing: Publishing,
  { review }: PullRequestPublication,
): readonly MovedFinding[] {
  return known === null || review === null ? [] : movedFindings(known.marker, { publishing, review });
}

/** There is nothing to post, but an earlier try may have left a pending review behind, or one that people see. */
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
    return { kind: "stop", stop: waitForFate("review", openUntilMs) };
  }
  for (const { id } of pending) await discardPending(publishing, { ...known, externalId: id });
  if (pending.length === 0) await discardPending(publishing, known);
  return nothingPosted(null);
}

function nothingPosted(id: number | null): GithubReviewOutcome {
  return { kind: "done", id, moved: [], isJustSubmitted: false };
}

/**
 * A worker that was stopped for so long that another one took over may have created this review after the other one
 * published: then this one is deleted, and the other one is ours. Its intent; null when there is none.
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
  if (other !== null)
    return {
      kind: "done",
      id: other.externalId,
      moved: movedFindings(other.marker, plan),
      isJustSubmitted: false,
    };
  const stop = await findStop(publishing);
  if (stop !== null) {
    // Whoever holds the job now may be about to submit this very review: it is theirs to decide.
    if (stop.kind !== "lost") await discardPending(publishing, pending.intent);
    return { kind: "stop", stop };
  }
  const fate = await submitUntilVisible(plan, pending.id);
  if (fate === "unknown") {
    return { kind: "stop", stop: waitForFate("review", publishing.now() + LIST_LAG_MS) };
  }
  if (fate === "gone") {
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
      if (!isRefused && !isFateUnknown(error) && !hasStatus(error, 404)) throw error;
      const current = await calls.readReview(number, id);
      if (current === null) return "gone";
      if (!current.isPending) return "visible";
      // Refused because the one without an answer was carried out, or for a reason of its own: what we read may lag.
      if (isRefused && isAnswerLost) return "unknown";
      isAnswerLost ||= isFateUnknown(error);
      if (attempt === MAX_SUBMITS || (isRefused && event === "COMMENT")) throw error;
      // An app may not approve everything; what it has to say is said in any case.
      if (isRefused) event = "COMMENT";
    }
  }
}
