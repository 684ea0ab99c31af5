/**
 * Brings about the one pending review of a head: adopts the one that is there, deletes what is not it, or creates it.
 * GitHub allows one pending review per author, so that a second create is refused rather than seen.
 */
import { reachFaultPoint } from "../../../base/fault-point.ts";
import type { JournalEntry } from "../../forge.ts";
import type { MarkerContent } from "../markers.ts";
import type { OwnReview } from "../repository-calls.ts";
import { createReview, type PendingReview } from "./post-review.ts";
import { LIST_LAG_MS, mayAppearUntil, waitForFate, type Publishing } from "./publishing.ts";
import { readMarker, renderContent, renderMarker, type GithubReviewPlan } from "./review-plan.ts";

/** Each round looks at what is there and acts once; more than a lost answer and a refusal do not follow one another. */
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
    if (openUntilMs !== null) return { kind: "stop", stop: waitForFate("review", openUntilMs) };
    if (isListLagging && !seen.isCleared) break;
    // Looking may have taken so long that another worker has the job by now.
    const answer = await plan.publishing.request.guard();
    if (answer !== "go") return { kind: "stop", stop: { kind: answer } };
    const created = await createReview(plan, intent);
    if (created.kind !== "look-again") return created;
    intent = created.intent;
    isListLagging = created.isThere;
  }
  // GitHub says that there is a pending review and does not list it: its lists lag.
  const untilMs = plan.publishing.now() + LIST_LAG_MS;
  return { kind: "stop", stop: waitForFate("review", untilMs) };
}

/** Forgets a pending review that was deleted; what is done next starts anew. */
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
  // What an earlier composition left behind is still looked for, by its id or in the list.
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
  /** Cleared: there was a pending one that was not the right one, and it was deleted. */
  | { readonly kind: "none"; readonly intent: JournalEntry; readonly isCleared: boolean };

/** Adopts what is ours and right, deletes what is ours and not. */
async function lookForReview(plan: GithubReviewPlan, intent: JournalEntry): Promise<Seen> {
  const { request, calls } = plan.publishing;
  const { number } = request.pullRequest;
  const known = intent.externalId === null ? null : await calls.readReview(number, intent.externalId);
  // Under an id that we noted it is ours, whatever has been made of its text since.
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
  // Beside the one that was deleted no other can have been created: the fate of the last attempt is known.
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
