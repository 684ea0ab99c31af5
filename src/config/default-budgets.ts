/**
 * Spending limits in US dollars for operators who set none. A model that misbehaves must not cost more than a review is worth. Reviews of
 * large changes by the most expensive models cost about a dollar, and a busy repository has about fifty reviews a day. No one person needs
 * more than five of the most expensive reviews within an hour.
 */
export const DEFAULT_BUDGETS = { perReviewUsd: 2, perAuthorHourUsd: 10, perRepositoryDayUsd: 50 } as const;

/** Of the daily budget. Strangers can use it up, and the reviews of the team still have most of it. */
export const DEFAULT_OUTSIDERS_SHARE = 0.2;
