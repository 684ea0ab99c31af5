/** The budgets of a review: the repository's or the operator's (by default, the built-in one), whichever is lower. */
import { DEFAULT_BUDGETS, DEFAULT_OUTSIDERS_SHARE } from "../../config/default-budgets.ts";
import type { OperatorBudgets } from "../../config/model-settings.ts";
import type { BudgetKey } from "../../model/budget-names.ts";
import type { RepoConfig } from "../../config/repo-config/schema.ts";

export type Budgets = RepoConfig["budget"];

/** In US dollars; null for no limit. */
export type EffectiveBudgets = Readonly<Record<BudgetKey, number | null>>;

/**
 * Budgets that the operator hasn't set have the default. A repository can lower a budget but never raise it, because the operator may be
 * the one who pays.
 */
export function effectiveBudgets(
  repository: Budgets,
  operator: OperatorBudgets,
  defaults: Budgets = DEFAULT_BUDGETS,
): EffectiveBudgets {
  const smaller = (key: BudgetKey, unset: number | null | undefined = defaults[key]): number | null => {
    const allowed = operator[key] === undefined ? unset : operator[key];
    const least = Math.min(repository[key] ?? Infinity, allowed ?? Infinity);
    return least === Infinity ? null : least;
  };
  const perReviewUsd = smaller("perReviewUsd");
  const perRepositoryDayUsd = smaller("perRepositoryDayUsd");
  const { perAuthorHourUsd } = defaults;
  return {
    perReviewUsd,
    perPullRequestUsd: smaller("perPullRequestUsd"),
    // An operator who allows one expensive review means it.
    perAuthorHourUsd: smaller(
      "perAuthorHourUsd",
      perAuthorHourUsd === undefined ? null : Math.max(perAuthorHourUsd, perReviewUsd ?? 0),
    ),
    perOutsidersDayUsd: smaller(
      "perOutsidersDayUsd",
      perRepositoryDayUsd === null ? null : perRepositoryDayUsd * DEFAULT_OUTSIDERS_SHARE,
    ),
    perRepositoryDayUsd,
    perInstallationMonthUsd: smaller("perInstallationMonthUsd"),
  };
}

/** True when a budget is set. Then a model without a known price can't be used. Defaults don't count. */
export function hasCeiling(...budgets: readonly OperatorBudgets[]): boolean {
  return budgets.some((each) => Object.values(each).some((usd) => typeof usd === "number"));
}
