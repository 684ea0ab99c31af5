/** The model that reviews by default, and how its provider can be asked about it. */
import type { ModelSettings } from "../config/model-settings.ts";
import type { SettingsSource } from "../config/settings-reader.ts";
import { readUserModel } from "../config/user-config.ts";
import type { ChosenModel } from "../doctor/checks/model.ts";
import { hasCeiling } from "../jobs/spending/budgets.ts";
import { probeModel } from "../model/ai-sdk/probe-model.ts";
import { chooseModels, type ModelId } from "../model/choose-models.ts";
import { priceOf } from "../model/prices.ts";
import { loadModels } from "./models.ts";

export type ModelSources = {
  readonly isApp: boolean;
  /** Null if they are invalid. */
  readonly models: ModelSettings | null;
};

/** `kodiai review` also reads the user's own file. */
export async function chooseDoctorModel(
  { isApp, models }: ModelSources,
  source: SettingsSource,
): Promise<ChosenModel> {
  if (models === null) return { kind: "invalid-settings" };
  const settings = isApp ? models : { ...models, model: models.model ?? (await readUserModel(source)) };
  const chosen = chooseModels({ asked: null, configured: null, fallbacks: [] }, settings);
  const { problems } = chosen;
  const [first] = chosen.models;
  if (first === undefined) return { kind: "none", reason: chosen.noModel ?? "not-configured", problems };
  return {
    kind: "model",
    id: first.id,
    problems,
    price: priceStateOf(first.id, settings),
    load: () => loadOne(first.id, settings),
    probe: proberOf(first, settings),
  };
}

function priceStateOf(id: string, { prices, budgets }: ModelSettings) {
  const hasCeilings = hasCeiling(budgets);
  if (priceOf(id, {}, { prices, hasCeilings }) !== null) return "known";
  return hasCeilings ? "unknown-with-budget" : "unknown";
}

async function loadOne(id: string, settings: ModelSettings) {
  const wanted = {
    asked: id,
    configured: null,
    fallbacks: [],
    style: { effort: "low" },
    repository: "",
  } as const;
  const { models } = await loadModels(wanted, settings, () => {});
  const [model] = models;
  if (model === undefined) throw new TypeError("a model that was asked for is loaded or throws");
  return model;
}

/** A subscription's token is for the Claude Agent SDK alone. */
function proberOf({ provider, name }: ModelId, { access }: ModelSettings) {
  const { key = null, baseUrl = null } = access[provider] ?? {};
  if (provider !== "claude")
    return (signal: AbortSignal) => probeModel({ provider, name, apiKey: key, baseUrl }, signal);
  if (key === null) return null;
  // The SDK has short names of its own, and a mark for the large context window.
  const known = name.startsWith("claude-") ? name.replace(/\[1m\]$/, "") : null;
  return (signal: AbortSignal) =>
    probeModel({ provider: "anthropic", name: known, apiKey: key, baseUrl }, signal);
}
