/** Checks whether a review is visible whose worker couldn't report it: in the journal first, then on GitHub if needed. */
import type { PublishRequest } from "../../forge.ts";
import { type PublishDeps, scopeOf } from "./publishing.ts";

export async function isReviewVisible(
  begun: Pick<PublishRequest, "pullRequest" | "journal" | "request">,
  { calls, markers }: Pick<PublishDeps, "calls" | "markers">,
): Promise<boolean> {
  const { pullRequest, journal } = begun;
  const intent = await journal.read("review");
  if (intent === null || intent.state === "intended") return false;
  if (intent.state === "published") return true;
  if (intent.externalId !== null) {
    const review = await calls.readReview(pullRequest.number, intent.externalId);
    return review !== null && !review.isPending;
  }
  const scope = scopeOf({ request: begun, head: pullRequest.head }, "review");
  const reviews = await calls.listOwnReviews(pullRequest.number);
  return reviews.some(({ isPending, body }) => !isPending && markers.read(scope, body) !== null);
}
