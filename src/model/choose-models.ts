/**
 * Chooses the models of a review, in the order in which they are tried. The command line overrides the repository, which overrides the
 * machine's settings, which override a default by available key. Pure: nothing is loaded.
 */
import type { AnswerStyle } from "../config/answer-style.ts";
import type { ModelSettings } from "../config/model-settings.ts";
import { MODEL_PROVIDERS, type ModelProvider } from "../config/provider-access.ts";
import { KEY_VARIABLES, URL_VARIABLES } from "../config/model-variables.ts";
import { KodiaiError } from "../base/errors.ts";
import { DEFAULT_MODELS } from "./default-models.ts";
import type { NoModelReason } from "./no-model-reason.ts";

/** The word for no model. */
export const FLOOR = "floor";

/** The same, set by `--offline`. */
const OFFLINE = "--offline";

export type ModelId = {
  /** As written: `provider:name`. */
  readonly id: string;
  readonly provider: ModelProvider;
  readonly name: string;
};

export type WantedModels = {
  /** `--model`, or "--offline"; null when neither was given. */
  readonly asked: string | null;
  /** `model` and `fallbackModels` of the repository. */
  readonly configured: string | null;
  readonly fallbacks: readonly string[];
  /** Whose default model is used if this provider has a key. Left out: the first in the table. */
  readonly preferred?: ModelProvider;
};

/** The wanted models and how they review. */
export type RequestedModels = WantedModels & {
  readonly style: AnswerStyle;
  /** Reviews of one repository share a prompt prefix. The provider sees only a hash of it. */
  readonly repository: string;
};

export type ChosenModels = {
  /** Empty: only the built-in rules review. */
  readonly models: readonly ModelId[];
  /** Null when there is one. */
  readonly noModel: NoModelReason | null;
  /** Why a configured model can't be used, in words. */
  readonly problems: readonly string[];
};

/** Throws only if the model of the command line can't be used. */
export function chooseModels(wanted: WantedModels, settings: ModelSettings): ChosenModels {
  if (wanted.asked !== null) return chooseAsked(wanted.asked, settings);
  const problems: string[] = [];
  const usable = (text: string): readonly ModelId[] => {
    const found = findModel(text, settings);
    if (typeof found === "string") problems.push(found);
    return typeof found === "string" ? [] : [found];
  };
  const first = wanted.configured ?? settings.model;
  if (first === FLOOR) return { models: [], noModel: "switched-off", problems };
  const main = first === null ? defaultModel(wanted, settings) : usable(first);
  // If this machine has no key for the repository's model, its own model reviews.
  const ofMachine =
    main.length > 0 || wanted.configured === null
      ? []
      : settings.model === null
        ? defaultModel(wanted, settings)
        : settings.model === FLOOR
          ? []
          : usable(settings.model);
  const models = withoutRepeats([...main, ...wanted.fallbacks.flatMap(usable), ...ofMachine]);
  return {
    models,
    noModel: models.length > 0 ? null : problems.length > 0 ? "unavailable" : "not-configured",
    problems,
  };
}

function chooseAsked(asked: string, settings: ModelSettings): ChosenModels {
  if (asked === FLOOR) return { models: [], noModel: "floor-option", problems: [] };
  if (asked === OFFLINE) return { models: [], noModel: "offline-option", problems: [] };
  const found = findModel(asked, settings);
  if (typeof found !== "string") return { models: [found], noModel: null, problems: [] };
  throw new KodiaiError("config", found, { hint: "Fix that, choose another model, or see docs/models.md." });
}

/** The model, or why it can't be used and what to do. */
function findModel(text: string, { access }: ModelSettings): ModelId | string {
  const [, prefix, name] = /^([a-z]+):(\S+)$/.exec(text) ?? [];
  const provider = MODEL_PROVIDERS.find((known) => known === prefix);
  if (provider === undefined || name === undefined) return describeMisnamed(text, access);
  if (access[provider] === undefined) return `${text}: ${neededFor(provider)} is not set`;
  return { id: text, provider, name };
}

function neededFor(provider: ModelProvider): string {
  return provider === "compatible" ? URL_VARIABLES.compatible : KEY_VARIABLES[provider];
}

/** Suggests the provider for a name without a known prefix; many names reveal it. */
function describeMisnamed(text: string, access: ModelSettings["access"]): string {
  const shown = text.slice(0, MAX_SHOWN_CHARS);
  const bare = text.replace(/^[\w-]+[/:](?=.)/, "");
  const guess = [text, bare]
    .flatMap((name) => {
      const provider = OWNERS.find(([, pattern]) => pattern.test(name))?.[0];
      return provider === undefined ? [] : [{ provider, id: `${provider}:${name}` }];
    })
    .at(0);
  if (guess === undefined || text.length > MAX_SHOWN_CHARS)
    return `the model "${shown}" must have the form provider:name; known providers are ${MODEL_PROVIDERS.join(", ")}`;
  const key = access[guess.provider] === undefined ? ` and set ${neededFor(guess.provider)}` : "";
  return `the model "${shown}" has no known provider before its name: write ${guess.id}${key}`;
}

/** Longer texts aren't names. */
const MAX_SHOWN_CHARS = 100;

/** Model names by provider. */
const OWNERS: readonly (readonly [ModelProvider, RegExp])[] = [
  ["openai", /^(?:gpt|chatgpt|codex|o\d)(?:-[\w.-]+)?$/],
  ["anthropic", /^claude-[\w.-]+$/],
  ["google", /^gemini-[\w.-]+$/],
];

/** The preferred provider, or the first one with a key in the order of the table. */
function defaultModel({ preferred }: WantedModels, { access }: ModelSettings): readonly ModelId[] {
  const isPreferred = ({ provider }: { readonly provider: ModelProvider }): number =>
    Number(provider === preferred);
  for (const { provider, name } of DEFAULT_MODELS.toSorted((a, b) => isPreferred(b) - isPreferred(a)))
    if (access[provider] !== undefined) return [{ id: `${provider}:${name}`, provider, name }];
  return [];
}

function withoutRepeats(models: readonly ModelId[]): readonly ModelId[] {
  return [...new Map(models.map((model) => [model.id, model])).values()];
}
