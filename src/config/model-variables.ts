/** What the settings of models are called, for whoever is to mend one. Names only: what is in them is never said. */
import type { ModelProvider } from "./model-settings.ts";
import type { RepoConfig } from "./repo-config/schema.ts";

export const KEY_VARIABLES: Readonly<Record<ModelProvider, string>> = {
  claude: "ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN",
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  google: "GEMINI_API_KEY",
  compatible: "KODIAI_COMPATIBLE_KEY",
};

/** Where the calls go; all but the last have an address of their own when it is not set. */
export const URL_VARIABLES: Readonly<Record<ModelProvider, string>> = {
  claude: "ANTHROPIC_BASE_URL",
  anthropic: "ANTHROPIC_BASE_URL",
  openai: "OPENAI_BASE_URL",
  google: "GOOGLE_BASE_URL",
  compatible: "KODIAI_COMPATIBLE_URL",
};

/** Ceilings of the operator; `.kodiai.yml` has them under `budget`. */
export const BUDGET_VARIABLES: Readonly<Record<keyof RepoConfig["budget"], string>> = {
  perReviewUsd: "KODIAI_BUDGET_REVIEW_USD",
  perPullRequestUsd: "KODIAI_BUDGET_PULL_REQUEST_USD",
  perAuthorHourUsd: "KODIAI_BUDGET_AUTHOR_HOUR_USD",
  perRepositoryDayUsd: "KODIAI_BUDGET_REPOSITORY_DAY_USD",
  perInstallationMonthUsd: "KODIAI_BUDGET_INSTALLATION_MONTH_USD",
};

/** Most model reviews per pull request and hour; `.kodiai.yml` has them under `limits`. */
export const LIMIT_VARIABLES: Readonly<Record<keyof RepoConfig["limits"], string>> = {
  strangersPerHour: "KODIAI_LIMIT_STRANGERS_HOUR",
  contributorsPerHour: "KODIAI_LIMIT_CONTRIBUTORS_HOUR",
  writersPerHour: "KODIAI_LIMIT_WRITERS_HOUR",
};
