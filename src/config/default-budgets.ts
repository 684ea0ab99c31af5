/**
 * Spending limits in US dollars for operators who set none. A model that misbehaves must not cost more than a review is worth. Reviews of
 * large changes by the most expensive models cost about a dollar, and a busy repository has about fifty reviews a day.
 */
export const DEFAULT_BUDGETS = { perReviewUsd: 2, perRepositoryDayUsd: 50 } as const;
