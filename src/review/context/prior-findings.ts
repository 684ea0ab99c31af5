/** Facts about prior reviews for code that must not load their schema. */
import type { PriorReview } from "./prior-review.ts";

/** Earlier runs that a review is compared with. Code that comes back after more pushes is read again. */
export const MAX_PRIOR_RUNS = 5;

export const NO_PRIOR_REVIEW: PriorReview = { runs: [], findings: [] };
