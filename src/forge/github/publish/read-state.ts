/** Reads the state that the last publication left on a pull request: in its summary, or in a review if no summary was wanted. */
import { type MarkerScope, withoutMarker } from "../markers.ts";
import { findComments, type PublishDeps } from "./publishing.ts";

/** Null if there is none. An older state is as good as an earlier review: the next one compares with that. */
export async function readState(
  scope: MarkerScope,
  deps: Pick<PublishDeps, "calls" | "markers">,
): Promise<string | null> {
  const [summary] = await findComments(scope.number, scope, deps);
  if (summary !== undefined) return summary.content.state ?? null;
  const reviews = await deps.calls.listOwnReviews(scope.number);
  const states = reviews
    .filter(({ isPending }) => !isPending)
    .toSorted((a, b) => b.id - a.id)
    .map(({ body }) => deps.markers.read(scope, withoutMarker(body))?.state ?? null);
  return states.find((state) => state !== null) ?? null;
}
