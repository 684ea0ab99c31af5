/** Facts about prior reviews for code that must not load their schema. */
import { isLive } from "./life-states.ts";
import type { PriorFinding, PriorReview } from "./prior-review.ts";

/** Earlier runs that a review is compared with. Code that comes back after more pushes is read again. */
export const MAX_PRIOR_RUNS = 5;

export const NO_PRIOR_REVIEW: PriorReview = { runs: [], findings: [] };

/** Findings that wait for an answer. */
export function openFindingsOf({ findings }: PriorReview): readonly PriorFinding[] {
  return findings.filter(({ state }) => isLive(state) && state !== "waived");
}
