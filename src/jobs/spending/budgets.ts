/** The ceilings that hold for a review: the repository's own and the operator's, whichever is smaller. */
import type { RepoConfig } from "../../config/repo-config/schema.ts";

export type Budgets = RepoConfig["budget"];

export type BudgetKey = keyof Budgets;

/** In US dollars; null for no ceiling. */
export type EffectiveBudgets = Readonly<Record<BudgetKey, number | null>>;

/** The narrowest first: that is the one a person can do most about. */
export const BUDGET_KEYS = [
  "perReviewUsd",
  "perPullRequestUsd",
  "perAuthorHourUsd",
  "perRepositoryDayUsd",
  "perInstallationMonthUsd",
] as const satisfies readonly BudgetKey[];

export const NO_BUDGETS: EffectiveBudgets = {
  perReviewUsd: null,
  perPullRequestUsd: null,
  perAuthorHourUsd: null,
  perRepositoryDayUsd: null,
  perInstallationMonthUsd: null,
};

/** A repository can lower what the operator allows, and never raise it. */
export function effectiveBudgets(repository: Budgets, operator: Budgets): EffectiveBudgets {
  const smaller = (key: BudgetKey): number | null => {
    const least = Math.min(repository[key] ?? Infinity, operator[key] ?? Infinity);
    return least === Infinity ? null : least;
  };
  return {
    perReviewUsd: smaller("perReviewUsd"),
    perPullRequestUsd: smaller("perPullRequestUsd"),
    perAuthorHourUsd: smaller("perAuthorHourUsd"),
    perRepositoryDayUsd: smaller("perRepositoryDayUsd"),
    perInstallationMonthUsd: smaller("perInstallationMonthUsd"),
  };
}
