/**
 * Prepares the one pending review of a head: adopts a matching one, deletes others, or creates it. GitHub allows one pending
 * review per author, so it rejects a second one.
 */
import { reachFaultPoint } from "../../../base/fault-point.ts";
import type { JournalEntry } from "../../forge.ts";
import type { MarkerContent } from "../markers.ts";
import type { OwnReview } from "../repository-calls.ts";
import { createReview, type PendingReview } from "./post-review.ts";
import { LIST_LAG_MS, mayAppearUntil, waitForOutcome, type Publishing } from "./publishing.ts";
import { readMarker, renderContent, renderMarker, type GithubReviewPlan } from "./review-plan.ts";

/** Each round checks the current state and acts once. A lost answer and a rejection are the most that can follow one another. */
const MAX_ROUNDS = 4;

export async function preparePendingReview(
  plan: GithubReviewPlan,
  known: JournalEntry | null,
): Promise<PendingReview> {
  let intent = await noteIntent(plan, known);
  let isListLagging = false;
  reachFaultPoint("after-intent");
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const seen = await lookForReview(plan, intent);
    if (seen.kind !== "none") return seen;
    intent = seen.intent;
    const openUntilMs = mayAppearUntil(intent, plan.publishing.now());
    if (openUntilMs !== null) return { kind: "stop", stop: waitForOutcome("review", openUntilMs) };
    if (isListLagging && !seen.isCleared) break;
    // The lookup may have taken so long that another worker has taken over the job.
    const answer = await plan.publishing.request.guard();
    if (answer !== "go") return { kind: "stop", stop: { kind: answer } };
    const created = await createReview(plan, intent);
    if (created.kind !== "look-again") return created;
    intent = created.intent;
    isListLagging = created.isThere;
  }
  const { hasGivenToken, calls, request } = plan.publishing;
  if (hasGivenToken && (await calls.hasForeignPending(request.pullRequest.number)))
    return { kind: "blocked" };
  // GitHub reports a pending review but doesn't list it, because its lists lag.
  const untilMs = plan.publishing.now() + LIST_LAG_MS;
  return { kind: "stop", stop: waitForOutcome("review", untilMs) };
}

/** Deletes the pending review and resets the journal entry, so that the next attempt starts over. */
export async function discardPending(publishing: Publishing, intent: JournalEntry): Promise<void> {
  const { request, calls } = publishing;
  if (intent.externalId !== null)
    await calls.deletePendingReview(request.pullRequest.number, intent.externalId);
  await request.journal.write("review", {
    ...intent,
    state: "intended",
    externalId: null,
    attemptedAt: null,
  });
}

async function noteIntent(plan: GithubReviewPlan, known: JournalEntry | null): Promise<JournalEntry> {
  if (known !== null && known.bodyHash === plan.bodyHash) return known;
  const { request } = plan.publishing;
  const marker = renderMarker(plan, []);
  // A review from an earlier composition is still searched for, by its id or in the list.
  const intent: JournalEntry = {
    state: known?.state ?? "intended",
    bodyHash: plan.bodyHash,
    marker,
    externalId: known?.externalId ?? null,
    attemptedAt: known?.attemptedAt ?? null,
  };
  await request.journal.write("review", intent);
  return intent;
}

type Seen =
  | PendingReview
  /** `isCleared`: another pending review was found and deleted. */
  | { readonly kind: "none"; readonly intent: JournalEntry; readonly isCleared: boolean };

/** Adopts the app's matching review and deletes its other pending ones. */
async function lookForReview(plan: GithubReviewPlan, intent: JournalEntry): Promise<Seen> {
  const { request, calls } = plan.publishing;
  const { number } = request.pullRequest;
  const known = intent.externalId === null ? null : await calls.readReview(number, intent.externalId);
  // The journal has this id, so the review is the app's own, even if its text was edited.
  if (known !== null && !known.isPending) return adopt(plan, intent, known);
  const reviews = known === null ? await calls.listOwnReviews(number) : [known];
  const submitted = reviews.find((review) => !review.isPending && contentOf(plan, review) !== null);
  if (submitted !== undefined) return adopt(plan, intent, submitted);
  const pending = reviews.filter((review) => review.isPending);
  const right = pending.find((review) => contentOf(plan, review)?.bodyHash === plan.bodyHash);
  if (right !== undefined) return adopt(plan, intent, right);
  for (const review of pending) await calls.deletePendingReview(number, review.id);
  if (pending.length === 0) {
    return { kind: "none", intent: { ...intent, externalId: null }, isCleared: false };
  }
  // While the deleted review existed, no other could be created, so the outcome of the last attempt is known.
  const cleared: JournalEntry = { ...intent, state: "intended", externalId: null, attemptedAt: null };
  await request.journal.write("review", cleared);
  return { kind: "none", intent: cleared, isCleared: true };
}

async function adopt(
  plan: GithubReviewPlan,
  intent: JournalEntry,
  review: OwnReview,
): Promise<PendingReview> {
  const content = contentOf(plan, review);
  const adopted: JournalEntry = {
    ...intent,
    state: review.isPending ? "created" : "published",
    marker: content === null ? intent.marker : renderContent(plan, content),
    externalId: review.id,
  };
  await plan.publishing.request.journal.write("review", adopted);
  return { kind: review.isPending ? "pending" : "submitted", intent: adopted, id: review.id };
}

function contentOf({ publishing }: GithubReviewPlan, { body }: OwnReview): MarkerContent | null {
  return readMarker(publishing, body);
}
