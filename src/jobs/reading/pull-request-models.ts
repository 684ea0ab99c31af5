/** Model access for the review of a pull request. Entries and costs are stored per run. */
import type { ModelSettings } from "../../config/model-settings.ts";
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { PullRequest, RepositoryRef } from "../../forge/forge.ts";
import type { RequestedModels } from "../../model/choose-models.ts";
import type { Database } from "../../store/database.ts";
import { countTimeouts } from "../../store/repositories/timeouts.ts";
import type { AvailableModels, ModelAccess } from "../model-review/model-access.ts";
import { findNamed } from "../model-review/named-model.ts";
import { effectiveBudgets, hasCeiling } from "../spending/budgets.ts";
import { createSpending } from "../spending/create-spending.ts";
import type { ReviewRun } from "../run/claim-review-run.ts";
import { openNotebook } from "./open-notebook.ts";

/** Provided by the composition root: the settings of this machine, and a function that loads the configured models. */
export type ModelSource = {
  readonly settings: ModelSettings;
  load(wanted: RequestedModels): Promise<AvailableModels>;
  randomWord(): string;
};

/** After this many recent timeouts for the same author, a retry would most likely only add cost. */
const MAX_TIMEOUTS = 3;
const TIMEOUT_WINDOW_MS = 7 * 24 * 60 * 60 * 1_000;

/** Whether models may be used, and whose account is charged. */
export type ModelPermit = {
  readonly isGranted: boolean;
  readonly login: string;
  /** The person has no write access. */
  readonly isOutsider: boolean;
};

export type PullRequestModelsInput = {
  /** Also an issue. */
  readonly pullRequest: Pick<PullRequest, "repositoryRef" | "number" | "author">;
  readonly run: Pick<ReviewRun, "id">;
  readonly permit: ModelPermit;
};

export type PullRequestModelsDeps = {
  readonly models: ModelSource;
  readonly database: Database;
  readonly now: () => number;
};

/** The models for a repository, by its configuration and the operator's. */
export function loadConfiguredModels(
  { model, fallbackModels, review }: RepoConfig,
  { installationId, repositoryId }: RepositoryRef,
  models: Pick<ModelSource, "load">,
): Promise<AvailableModels> {
  return models.load({
    asked: null,
    configured: model ?? null,
    fallbacks: fallbackModels,
    style: { effort: review.effort },
    repository: `${installationId}/${repositoryId}`,
  });
}

export function pullRequestModels(
  { pullRequest, run, permit }: PullRequestModelsInput,
  { models, database, now }: PullRequestModelsDeps,
): ModelAccess {
  const { repositoryRef, number, author } = pullRequest;
  const { repositoryId, installationId } = repositoryRef;
  const scope = { runId: run.id, installationId, repositoryId, pullRequest: number };
  return {
    choice: {
      async choose(config: RepoConfig) {
        const available = await loadConfiguredModels(config, repositoryRef, models);
        if (permit.isGranted || available.models.length === 0) return available;
        return { models: [], noModel: "withheld", problems: available.problems };
      },
      async loadNamed(name, style) {
        const repository = `${installationId}/${repositoryId}`;
        return findNamed(
          name,
          await models.load({ asked: null, configured: name, fallbacks: [], style, repository }),
        );
      },
      async mayRetry() {
        const sinceMs = now() - TIMEOUT_WINDOW_MS;
        const timeouts = await countTimeouts({ repositoryId, author: author.login, sinceMs }, database);
        return timeouts < MAX_TIMEOUTS;
      },
    },
    money: {
      openSpending: ({ budget }) =>
        createSpending({
          scope: { ...scope, author: permit.login, isOutsider: permit.isOutsider },
          budgets: effectiveBudgets(budget, models.settings.budgets),
          isLimited: hasCeiling(budget, models.settings.budgets),
          database,
          now,
        }),
      operatorPrices: {
        prices: models.settings.prices,
        hasCeilings: hasCeiling(models.settings.budgets),
      },
    },
    openNotebook: (change) => openNotebook(run.id, { change, database, now }),
    concurrency: models.settings.concurrency,
    randomWord: () => models.randomWord(),
  };
}
