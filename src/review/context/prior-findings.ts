/** Questions to a prior review. */
import type { PriorFinding, PriorReview } from "./prior-review.ts";

export const NO_PRIOR_REVIEW: PriorReview = { lastReviewed: null, findings: [] };

/** Findings that people have seen as comments or in the summary. */
export function openFindingsOf({ findings }: PriorReview): readonly PriorFinding[] {
  return findings.filter(({ isOnlyListed }) => !isOnlyListed);
}

export function wasReported(identity: string, prior: PriorReview): boolean {
  return openFindingsOf(prior).some((finding) => finding.identity === identity);
}

export function wasOnlyListed(identity: string, { findings }: PriorReview): boolean {
  return findings.some((finding) => finding.identity === identity && finding.isOnlyListed);
}
