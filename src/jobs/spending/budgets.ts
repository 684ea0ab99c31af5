/** The ceilings that hold for a review: the repository's own and the operator's, or the default, whichever is smaller. */
import { DEFAULT_BUDGETS } from "../../config/default-budgets.ts";
import type { OperatorBudgets } from "../../config/model-settings.ts";
import type { BudgetKey } from "../../model/budget-names.ts";
import type { RepoConfig } from "../../config/repo-config/schema.ts";

export type Budgets = RepoConfig["budget"];

/** In US dollars; null for no ceiling. */
export type EffectiveBudgets = Readonly<Record<BudgetKey, number | null>>;

/**
 * What the operator does not say is the default. A repository can lower what the operator allows, and never raise it: it says how it is
 * reviewed, and somebody else may pay.
 */
export function effectiveBudgets(
  repository: Budgets,
  operator: OperatorBudgets,
  defaults: Budgets = DEFAULT_BUDGETS,
): EffectiveBudgets {
  const smaller = (key: BudgetKey): number | null => {
    const allowed = operator[key] === undefined ? defaults[key] : operator[key];
    const least = Math.min(repository[key] ?? Infinity, allowed ?? Infinity);
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

/** Whether somebody has set a ceiling: then a model whose price is not known cannot be used. Defaults alone do not forbid one. */
export function hasCeiling(...budgets: readonly OperatorBudgets[]): boolean {
  return budgets.some((each) => Object.values(each).some((usd) => typeof usd === "number"));
}
