/** No spending limit at all. */
import type { EffectiveBudgets } from "../../src/jobs/spending/budgets.ts";

export const NO_BUDGETS: EffectiveBudgets = {
  perReviewUsd: null,
  perPullRequestUsd: null,
  perAuthorHourUsd: null,
  perOutsidersDayUsd: null,
  perRepositoryDayUsd: null,
  perInstallationMonthUsd: null,
};
