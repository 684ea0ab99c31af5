/**
 * Ceilings that hold where the operator says nothing, in US dollars: a model that goes wrong must not cost more than anyone would pay
 * for a review. Reviews of large changes by the dearest models cost about a dollar; a busy repository has some fifty a day.
 */
export const DEFAULT_BUDGETS = { perReviewUsd: 2, perRepositoryDayUsd: 50 } as const;
