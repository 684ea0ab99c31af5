/** Questions to a prior review. */
import { isLive } from "./life-states.ts";
import type { PriorFinding, PriorReview } from "./prior-review.ts";

export const NO_PRIOR_REVIEW: PriorReview = { runs: [], findings: [] };

/** Findings that wait for an answer. */
export function openFindingsOf({ findings }: PriorReview): readonly PriorFinding[] {
  return findings.filter(({ state }) => isLive(state) && state !== "waived");
}
