/**
 * Which models review, in the order in which they are tried. Said on the command line beats the repository, which beats the
 * machine, which beats a key that happens to be there. Pure; nothing is loaded.
 */
import { MODEL_PROVIDERS, type ModelProvider, type ModelSettings } from "../config/model-settings.ts";
import { KodiaiError } from "../base/errors.ts";
import { DEFAULT_MODELS } from "./default-models.ts";
import { NO_MODEL } from "./no-model.ts";

/** The word for no model at all. */
export const FLOOR = "floor";

export type ModelId = {
  /** As written: `provider:name`. */
  readonly id: string;
  readonly provider: ModelProvider;
  readonly name: string;
};

export type WantedModels = {
  /** `--model`; null when it was not given. */
  readonly asked: string | null;
  /** `model` and `fallbackModels` of the repository. */
  readonly configured: string | null;
  readonly fallbacks: readonly string[];
};

export type ChosenModels = {
  /** Empty: the floor reviews alone. */
  readonly models: readonly ModelId[];
  /** Why there is none, and how to have one; null when there is one. */
  readonly note: string | null;
  /** What was asked for and cannot be had, as sentences. */
  readonly problems: readonly string[];
};

/** Throws only for what was asked for by hand and cannot be had. */
export function chooseModels(wanted: WantedModels, settings: ModelSettings): ChosenModels {
  if (wanted.asked !== null) return chooseAsked(wanted.asked, settings);
  const problems: string[] = [];
  const usable = (text: string): readonly ModelId[] => {
    const found = findModel(text, settings);
    if (typeof found === "string") problems.push(found);
    return typeof found === "string" ? [] : [found];
  };
  const first = wanted.configured ?? settings.model;
  if (first === FLOOR) return { models: [], note: "none: it is switched off", problems };
  const main = first === null ? defaultModel(settings) : usable(first);
  // A model of the repository that this machine has no key for is no reason to review without one.
  const ofMachine =
    main.length > 0 || wanted.configured === null
      ? []
      : settings.model === null
        ? defaultModel(settings)
        : settings.model === FLOOR
          ? []
          : usable(settings.model);
  const models = withoutRepeats([...main, ...wanted.fallbacks.flatMap(usable), ...ofMachine]);
  return {
    models,
    note: models.length > 0 ? null : NO_MODEL,
    problems,
  };
}

function chooseAsked(asked: string, settings: ModelSettings): ChosenModels {
  if (asked === FLOOR) return { models: [], note: "none: --model floor was asked for", problems: [] };
  const found = findModel(asked, settings);
  if (typeof found !== "string") return { models: [found], note: null, problems: [] };
  throw new KodiaiError("config", found, { hint: "Set it, choose another model, or see docs/models.md." });
}

/** The model, or why it cannot be had. */
function findModel(text: string, { access }: ModelSettings): ModelId | string {
  const [, prefix, name] = /^([a-z]+):(\S+)$/.exec(text) ?? [];
  const provider = MODEL_PROVIDERS.find((known) => known === prefix);
  if (provider === undefined || name === undefined)
    return `the model "${text.slice(0, 100)}" is not of the form provider:name with one of ${MODEL_PROVIDERS.join(", ")}`;
  if (access[provider] === undefined) return `${text}: ${KEY_OF[provider]} is not set`;
  return { id: text, provider, name };
}

const KEY_OF: Readonly<Record<ModelProvider, string>> = {
  claude: "ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN",
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  google: "GEMINI_API_KEY",
  compatible: "KODIAI_COMPATIBLE_URL",
};

/** The first provider with a key, in the order of the table. */
function defaultModel({ access }: ModelSettings): readonly ModelId[] {
  for (const { provider, name } of DEFAULT_MODELS)
    if (access[provider] !== undefined) return [{ id: `${provider}:${name}`, provider, name }];
  return [];
}

function withoutRepeats(models: readonly ModelId[]): readonly ModelId[] {
  return [...new Map(models.map((model) => [model.id, model])).values()];
}
