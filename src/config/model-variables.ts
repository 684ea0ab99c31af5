/** Names of the model settings, for error messages. Values are never shown. */
import type { ModelProvider } from "./provider-access.ts";
import type { RepoConfig } from "./repo-config/schema.ts";

export const KEY_VARIABLES: Readonly<Record<ModelProvider, string>> = {
  claude: "ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN",
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  google: "GEMINI_API_KEY",
  compatible: "KODIAI_COMPATIBLE_KEY",
};

/** Base URLs of the APIs. All but `compatible` have a default. */
export const URL_VARIABLES: Readonly<Record<ModelProvider, string>> = {
  claude: "ANTHROPIC_BASE_URL",
  anthropic: "ANTHROPIC_BASE_URL",
  openai: "OPENAI_BASE_URL",
  google: "GOOGLE_BASE_URL",
  compatible: "KODIAI_COMPATIBLE_URL",
};

/** The operator's spending limits; `budget` in `.kodiai.yml`. */
export const BUDGET_VARIABLES: Readonly<Record<keyof RepoConfig["budget"], string>> = {
  perReviewUsd: "KODIAI_BUDGET_REVIEW_USD",
  perPullRequestUsd: "KODIAI_BUDGET_PULL_REQUEST_USD",
  perAuthorHourUsd: "KODIAI_BUDGET_AUTHOR_HOUR_USD",
  perOutsidersDayUsd: "KODIAI_BUDGET_OUTSIDERS_DAY_USD",
  perRepositoryDayUsd: "KODIAI_BUDGET_REPOSITORY_DAY_USD",
  perInstallationMonthUsd: "KODIAI_BUDGET_INSTALLATION_MONTH_USD",
};

/** The operator's limits for model reviews per pull request and hour; `limits` in `.kodiai.yml`. */
export const LIMIT_VARIABLES: Readonly<Record<keyof RepoConfig["limits"], string>> = {
  strangersPerHour: "KODIAI_LIMIT_STRANGERS_HOUR",
  contributorsPerHour: "KODIAI_LIMIT_CONTRIBUTORS_HOUR",
  writersPerHour: "KODIAI_LIMIT_WRITERS_HOUR",
};
