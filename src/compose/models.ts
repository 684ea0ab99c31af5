/** Chooses and loads the adapters of models. Loaded when a review asks whether there is one. */
import { KodiaiError } from "../base/errors.ts";
import { hashParts } from "../base/hash.ts";
import type { ModelOptions, ModelWatch } from "../cli/command.ts";
import { MODEL_PROVIDERS, type ModelSettings, readModelSettings } from "../config/model-settings.ts";
import { KEY_VARIABLES } from "../config/model-variables.ts";
import { readUserModel, userConfigPath } from "../config/user-config.ts";
import type { SettingsSource } from "../config/settings-reader.ts";
import type { AvailableModels, ModelAccess } from "../jobs/model-review/model-access.ts";
import { type ModelStop, stoppableModels } from "../jobs/model-review/stoppable-models.ts";
import { effectiveBudgets, hasCeiling } from "../jobs/spending/budgets.ts";
import { createMemorySpending, lowestCeiling } from "../jobs/spending/create-memory-spending.ts";
import { chooseModels, FLOOR, type ModelId, type RequestedModels } from "../model/choose-models.ts";
import type { Model } from "../model/model.ts";
import { BUDGET_KEYS } from "../model/budget-names.ts";
import { NOT_TO_BE_HAD } from "../model/no-model.ts";
import { reportModelFailure, type ReportModelFailure } from "../model/report-model-failure.ts";
import { describeStopReason } from "../review/publication/compose/describe-stop-reason.ts";
import { createMemoryNotebook } from "../tools/notebook.ts";

/** Enough that two repositories hardly ever share a cache, which would only make it slower. */
const CACHE_KEY_CHARS = 16;

/** 96 bits: nobody who writes a pull request guesses it. */
const FENCE_BYTES = 12;

export function randomWord(): string {
  // Asked for here: importing it takes longer than choosing that there is no model.
  return process.getBuiltinModule("node:crypto").randomBytes(FENCE_BYTES).toString("hex");
}

/**
 * For a review on the command line, of which nothing is kept. The person at the keyboard pays: what they have set decides before
 * what the repository names, except that a repository can switch models off.
 */
export function localModels(
  { asked, budgetUsd, isOwnConfig }: ModelOptions,
  source: SettingsSource,
  { stop, tell, announce }: Required<Omit<ModelWatch, "stop">> & { readonly stop?: ModelStop | undefined },
): ModelAccess {
  // Whoever reviews a change may stand in a checkout of it: its `.env` must not say where a person's keys go.
  const settings = readModelSettings({ ...source, dotEnv: null });
  const report: ReportModelFailure = (failure) =>
    tell({ ...failure, reason: describeStopReason(failure.reason) });
  const access: ModelAccess = {
    choice: {
      async choose({ model = null, fallbackModels, review: { effort } }) {
        const manner = { effort, repository: process.cwd() };
        if (asked !== null)
          return loadModels({ ...manner, asked, configured: null, fallbacks: [] }, settings, report);
        const ofUser = settings.model === null ? await readUserModel(source) : null;
        const own = settings.model ?? ofUser;
        const isOwn = own !== null && !isOwnConfig && model !== FLOOR;
        const wanted = isOwn
          ? { configured: null, fallbacks: [] }
          : { configured: model, fallbacks: fallbackModels };
        const chosen = await loadModels({ ...manner, asked, ...wanted }, { ...settings, model: own }, report);
        const [first] = chosen.models;
        if (first === undefined) return chosen;
        const configs = isOwnConfig ? "the given configuration" : ".kodiai.yml of the base";
        const named = [
          ...[model, ...fallbackModels].map((id) => [id, `${configs} names it`] as const),
          [ofUser, `${userConfigPath(source.environment)} names it`] as const,
          [settings.model, "KODIAI_MODEL names it"] as const,
        ].findLast(([id]) => id === first.id);
        const because = named?.[1] ?? `${keyOf(first)} is set`;
        return { ...chosen, models: announced(chosen.models, () => announce({ model: first.id, because })) };
      },
      mayRetry: async () => true,
    },
    money: {
      openSpending: ({ budget }) => {
        // What is said by hand takes the place of the defaults, also where it allows more.
        const defaults = budgetUsd === null ? undefined : {};
        const budgets = effectiveBudgets(budget, settings.budgets, defaults);
        const named = BUDGET_KEYS.map((key) => ({ name: key, usd: budgets[key] }));
        return createMemorySpending(
          lowestCeiling([{ name: "--budget-usd", usd: budgetUsd }, ...named]),
          budgetUsd !== null || hasCeiling(budget, settings.budgets),
        );
      },
      operatorPrices: { prices: settings.prices, hasCeilings: false },
    },
    openNotebook: async () => createMemoryNotebook(),
    randomWord,
  };
  return stop === undefined ? access : stoppableModels(access, stop);
}

function keyOf({ id }: Model): string {
  const provider = MODEL_PROVIDERS.find((known) => id.startsWith(`${known}:`));
  return provider === undefined ? "a key" : KEY_VARIABLES[provider];
}

/** `announce` is called once, before the first of them is asked anything. */
function announced(models: readonly Model[], announce: () => void): readonly Model[] {
  let isAnnounced = false;
  return models.map((model) => ({
    id: model.id,
    run(task, signal) {
      if (!isAnnounced) announce();
      isAnnounced = true;
      return model.run(task, signal);
    },
  }));
}

/** A model that cannot be loaded is a problem to show; one that was asked for by hand is an error. */
export async function loadModels(
  wanted: RequestedModels,
  settings: ModelSettings,
  tell: ReportModelFailure,
): Promise<AvailableModels> {
  const chosen = chooseModels(wanted, settings);
  const models: Model[] = [];
  const problems = [...chosen.problems];
  for (const id of chosen.models) {
    try {
      models.push(
        reportModelFailure(await loadModel(id, wanted, settings), await addressOfModel(id, settings), tell),
      );
    } catch (error) {
      if (wanted.asked !== null || !(error instanceof KodiaiError)) throw error;
      problems.push(`${id.id}: ${error.message}. ${error.hint}`);
    }
  }
  const note = models.length === 0 && chosen.note === null ? NOT_TO_BE_HAD : chosen.note;
  return { models, note, problems };
}

async function loadModel(
  { id, provider, name }: ModelId,
  { effort, repository }: RequestedModels,
  settings: ModelSettings,
): Promise<Model> {
  const access = settings.access[provider] ?? { key: null, baseUrl: null };
  if (provider === "claude") {
    const { createClaudeAgentModel } = await import("../model/claude-agent/claude-agent-model.ts");
    const { key: apiKey } = access;
    const baseUrl = access.baseUrl?.replace(/\/v1$/, "") ?? null;
    return createClaudeAgentModel({ id, name, effort, apiKey, oauthToken: settings.claudeToken, baseUrl });
  }
  const { createAiSdkModel } = await import("../model/ai-sdk/ai-sdk-model.ts");
  const cacheKey = hashParts([repository, id], CACHE_KEY_CHARS);
  const baseUrl = provider === "anthropic" ? withVersion(access.baseUrl) : access.baseUrl;
  return createAiSdkModel({ id, provider, name, effort, cacheKey, apiKey: access.key, baseUrl });
}

/** For whoever runs Kodiai. */
async function addressOfModel({ provider }: ModelId, { access }: ModelSettings): Promise<string> {
  const { addressOf } = await import("../model/ai-sdk/connect-provider.ts");
  return addressOf(provider === "claude" ? "anthropic" : provider, access[provider]?.baseUrl ?? null);
}

/** Programs do not agree whether Anthropic's address has the version of its interface in it; both are understood. */
function withVersion(baseUrl: string | null): string | null {
  return baseUrl === null || baseUrl.endsWith("/v1") ? baseUrl : `${baseUrl}/v1`;
}
