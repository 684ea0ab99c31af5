/** The names of spending limits. */
import type { RepoConfig } from "../config/repo-config/schema.ts";

export type BudgetKey = keyof RepoConfig["budget"];

/** The narrowest first, because users can do most about that one. */
export const BUDGET_KEYS = [
  "perReviewUsd",
  "perPullRequestUsd",
  "perAuthorHourUsd",
  "perOutsidersDayUsd",
  "perRepositoryDayUsd",
  "perInstallationMonthUsd",
] as const satisfies readonly BudgetKey[];

/** Where a limit is set: a key under `budget` in `.kodiai.yml`, or the option of the command line. */
export const BUDGET_NAMES = [...BUDGET_KEYS, "--budget-usd"] as const;

export type BudgetName = (typeof BUDGET_NAMES)[number];
