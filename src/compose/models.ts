/** Chooses and loads model adapters. Loaded when a review needs to know whether there is a model. */
import { KodiaiError } from "../base/errors.ts";
import { hashParts } from "../base/hash.ts";
import { proxyFor } from "../base/outbound/proxy.ts";
import type { ModelOptions, ModelWatch } from "../cli/command.ts";
import { type ModelSettings, readModelSettings } from "../config/model-settings.ts";
import { MODEL_PROVIDERS, type ModelProvider } from "../config/provider-access.ts";
import { KEY_VARIABLES } from "../config/model-variables.ts";
import type { RepoConfig } from "../config/repo-config/schema.ts";
import { readUserModel, userConfigPath } from "../config/user-config.ts";
import type { SettingsSource } from "../config/settings-reader.ts";
import type { AvailableModels, ModelAccess } from "../jobs/model-review/model-access.ts";
import { findNamed } from "../jobs/model-review/named-model.ts";
import { type ModelStop, stoppableModels } from "../jobs/model-review/stoppable-models.ts";
import { effectiveBudgets, hasCeiling } from "../jobs/spending/budgets.ts";
import { createMemorySpending, lowestCeiling } from "../jobs/spending/create-memory-spending.ts";
import { chooseModels, FLOOR, type ModelId, type RequestedModels } from "../model/choose-models.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Model } from "../model/model.ts";
import { BUDGET_KEYS } from "../model/budget-names.ts";
import { reportModelFailure, type ReportModelFailure } from "../model/report-model-failure.ts";
import { describeStopReason } from "../review/publication/compose/describe-stop-reason.ts";
import { createMemoryNotebook } from "../tools/notebook.ts";

/** Long enough that two repositories hardly ever share a cache. Sharing one would only make it slower. */
const CACHE_KEY_CHARS = 16;

/** 96 bits, so the author of a pull request can't guess it. */
const FENCE_BYTES = 12;

export function randomWord(): string {
  // Loaded on demand: an import would slow down reviews without a model.
  return process.getBuiltinModule("node:crypto").randomBytes(FENCE_BYTES).toString("hex");
}

/**
 * Models for a command-line review, which stores nothing. The user pays, so the user's settings override the repository's.
 * A repository can still turn models off.
 */
export function localModels(
  { requested: asked, budgetUsd, isOwnConfig, isDeep = false }: ModelOptions,
  source: SettingsSource,
  {
    stop,
    exchange,
    onFailure,
    announce,
  }: Required<Omit<ModelWatch, "stop" | "exchange">> & {
    readonly stop?: ModelStop | undefined;
    readonly exchange?: Exchange | undefined;
  },
): ModelAccess {
  // The user may be in a checkout of the change. Its `.env` must not decide which host receives the user's keys.
  const settings = readModelSettings({ ...source, dotEnv: null });
  const report: ReportModelFailure = (failure) =>
    onFailure({ ...failure, reason: describeStopReason(failure.reason) });
  const load = (wanted: RequestedModels, given: ModelSettings): Promise<AvailableModels> =>
    loadModels(wanted, given, report, exchange);
  let chosenByUser: string | null = null;
  const access: ModelAccess = {
    choice: {
      async choose(config) {
        chosenByUser = asked;
        const { model, fallbackModels, style, preferred } = isDeep
          ? deepChoice(config)
          : reviewChoice(config);
        const common = { style, ...(preferred && { preferred }), repository: process.cwd() };
        if (asked !== null) return load({ ...common, asked, configured: null, fallbacks: [] }, settings);
        const ofUser = settings.model === null ? await readUserModel(source) : null;
        const own = settings.model ?? ofUser;
        const isOwn = own !== null && !isOwnConfig && model !== FLOOR;
        if (isOwn) chosenByUser = own;
        const [configured, fallbacks] = isOwn ? [null, []] : [model, fallbackModels];
        const wanted = { ...common, asked, configured, fallbacks };
        const chosen = await load(wanted, { ...settings, model: own });
        const [first] = chosen.models;
        if (first === undefined) return chosen;
        const file = isOwnConfig ? "the given configuration" : ".kodiai.yml on the base branch";
        const named = [
          ...[model, ...fallbackModels].map((id) => [id, `it's set in ${file}`] as const),
          [ofUser, `it's set in ${userConfigPath(source.environment)}`] as const,
          [settings.model, "it's set in KODIAI_MODEL"] as const,
        ].findLast(([id]) => id === first.id);
        const because = named?.[1] ?? `${keyOf(first)} is set`;
        return { ...chosen, models: announced(chosen.models, () => announce({ model: first.id, because })) };
      },
      async loadNamed(name, style) {
        // The repository can't send the user's code to a provider that the user didn't choose.
        const provider = providerOf(name) ?? null;
        const isForeign = provider !== null && chosenByUser !== null && provider !== providerOf(chosenByUser);
        if (isForeign && !isOwnConfig)
          return {
            kind: "unavailable",
            problem: `${name} has another provider than ${chosenByUser}. To use it, name it in a file of yours with --config`,
          };
        const wanted = { style, repository: process.cwd(), asked: null, configured: name, fallbacks: [] };
        const named = findNamed(name, await load(wanted, { ...settings, model: FLOOR }));
        if (named.kind === "unavailable") return named;
        const because = "the configuration names it";
        const [model = named.model] = announced([named.model], () => announce({ model: name, because }));
        return { kind: "loaded", model };
      },
      mayRetry: async () => true,
    },
    money: {
      openSpending: ({ budget }) => {
        // --budget-usd replaces the default limits, even if it's higher.
        const defaults = budgetUsd === null ? undefined : {};
        const budgets = effectiveBudgets(budget, settings.budgets, defaults);
        // The user of the command line pays, and is no outsider.
        const named = BUDGET_KEYS.filter((key) => key !== "perOutsidersDayUsd").map((key) => ({
          name: key,
          usd: budgets[key],
        }));
        return createMemorySpending(
          lowestCeiling([{ name: "--budget-usd", usd: budgetUsd }, ...named]),
          budgetUsd !== null || hasCeiling(budget, settings.budgets),
        );
      },
      operatorPrices: { prices: settings.prices, hasCeilings: false },
    },
    openNotebook: async () => createMemoryNotebook(),
    concurrency: settings.concurrency,
    randomWord,
  };
  return stop === undefined ? access : stoppableModels(access, stop);
}

type Choice = Pick<RequestedModels, "style" | "preferred"> & {
  readonly model: string | null;
  readonly fallbackModels: readonly string[];
};

function reviewChoice({ model, fallbackModels, review: { effort } }: RepoConfig): Choice {
  return { model: model ?? null, fallbackModels, style: { effort } };
}

/** If the repository allows no model, that holds for deep reviews too. Its other models are the fallback. */
function deepChoice({ model, fallbackModels, deepReview }: RepoConfig): Choice {
  const { model: ofDeepReview = null, effort, verbosity, summary } = deepReview;
  return {
    model: model === FLOOR ? FLOOR : ofDeepReview,
    fallbackModels: [...(model === undefined ? [] : [model]), ...fallbackModels],
    style: { effort, verbosity, summary },
    preferred: "openai",
  };
}

function providerOf(id: string): ModelProvider | undefined {
  return MODEL_PROVIDERS.find((known) => id.startsWith(`${known}:`));
}

function keyOf({ id }: Model): string {
  const provider = providerOf(id);
  return provider === undefined ? "a key" : KEY_VARIABLES[provider];
}

/** Calls `announce` once, before the first request to any of the models. */
function announced(models: readonly Model[], announce: () => void): readonly Model[] {
  let isAnnounced = false;
  return models.map((model) => ({
    ...model,
    run(task, signal) {
      if (!isAnnounced) announce();
      isAnnounced = true;
      return model.run(task, signal);
    },
  }));
}

/** A model that can't be loaded is a problem to show. If the user requested it, it's an error. */
export async function loadModels(
  wanted: RequestedModels,
  settings: ModelSettings,
  onFailure: ReportModelFailure,
  exchange?: Exchange,
): Promise<AvailableModels> {
  const chosen = chooseModels(wanted, settings);
  const models: Model[] = [];
  const problems = [...chosen.problems];
  for (const id of chosen.models) {
    try {
      models.push(
        reportModelFailure(
          await loadModel(id, wanted, { settings, exchange }),
          await addressOfModel(id, settings),
          onFailure,
        ),
      );
    } catch (error) {
      if (wanted.asked !== null || !(error instanceof KodiaiError)) throw error;
      problems.push(`${id.id}: ${error.message}. ${error.hint}`);
    }
  }
  const noModel = models.length === 0 && chosen.noModel === null ? "unavailable" : chosen.noModel;
  return { models, noModel, problems };
}

async function loadModel(
  { id, provider, name }: ModelId,
  { style, repository }: RequestedModels,
  { settings, exchange }: { readonly settings: ModelSettings; readonly exchange: Exchange | undefined },
): Promise<Model> {
  const access = settings.access[provider] ?? { key: null, baseUrl: null };
  if (provider === "claude") {
    const { createClaudeAgentModel } = await import("../model/claude-agent/claude-agent-model.ts");
    const { key: apiKey } = access;
    const baseUrl = access.baseUrl?.replace(/\/v1$/, "") ?? null;
    return createClaudeAgentModel({
      id,
      name,
      effort: style.effort,
      apiKey,
      oauthToken: settings.claudeToken,
      baseUrl,
    });
  }
  const { createAiSdkModel } = await import("../model/ai-sdk/ai-sdk-model.ts");
  const cacheKey = hashParts([repository, id], CACHE_KEY_CHARS);
  const baseUrl = provider === "anthropic" ? withVersion(access.baseUrl) : access.baseUrl;
  return createAiSdkModel({ ...style, id, provider, name, cacheKey, apiKey: access.key, baseUrl, exchange });
}

/** Address for the operator's log or the user's terminal, with the proxy that leads there. */
async function addressOfModel({ provider }: ModelId, { access }: ModelSettings): Promise<string> {
  const { addressOf } = await import("../model/ai-sdk/connect-provider.ts");
  const address = addressOf(
    provider === "claude" ? "anthropic" : provider,
    access[provider]?.baseUrl ?? null,
  );
  const proxy = proxyFor(new URL(address));
  return proxy === null ? address : `${address} through the proxy ${proxy.url.host}`;
}

/** Some programs expect the API version in Anthropic's base URL, others don't. Both forms work here. */
function withVersion(baseUrl: string | null): string | null {
  return baseUrl === null || baseUrl.endsWith("/v1") ? baseUrl : `${baseUrl}/v1`;
}
