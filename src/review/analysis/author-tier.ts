/** How well the author knows the repository. It affects the tone and length of a review, never its findings. */
import type { AuthorTier } from "./analysis.ts";

export type AuthorFacts = {
  /** GitHub's author association, such as "MEMBER"; null when unknown. */
  readonly association: string | null;
  /** Merged pull requests of the author in this repository; null when unknown. */
  readonly mergedPullRequests: number | null;
};

const MAX_FIRST_TIME_MERGES = 1;
const MIN_CORE_MERGES = 10;

/** Associations that decide the tier. For the others (COLLABORATOR, CONTRIBUTOR, NONE, …) the merged pull requests decide. */
const BY_ASSOCIATION: ReadonlyMap<string, AuthorTier> = new Map([
  ["OWNER", "core"],
  ["MEMBER", "core"],
  ["FIRST_TIMER", "first-time"],
  ["FIRST_TIME_CONTRIBUTOR", "first-time"],
]);

export function authorTier({ association, mergedPullRequests }: AuthorFacts): AuthorTier {
  return BY_ASSOCIATION.get(association?.toUpperCase() ?? "") ?? tierByMerges(mergedPullRequests);
}

function tierByMerges(merged: number | null): AuthorTier {
  if (merged === null) return "regular";
  if (merged <= MAX_FIRST_TIME_MERGES) return "first-time";
  return merged >= MIN_CORE_MERGES ? "core" : "regular";
}
