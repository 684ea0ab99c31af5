/**
 * Which models review, in the order in which they are tried. Said on the command line beats the repository, which beats the
 * machine, which beats a key that happens to be there. Pure; nothing is loaded.
 */
import type { Effort } from "../config/effort.ts";
import { MODEL_PROVIDERS, type ModelProvider, type ModelSettings } from "../config/model-settings.ts";
import { KEY_VARIABLES, URL_VARIABLES } from "../config/model-variables.ts";
import { KodiaiError } from "../base/errors.ts";
import { DEFAULT_MODELS } from "./default-models.ts";
import { NO_MODEL, NOT_TO_BE_HAD } from "./no-model.ts";

/** The word for no model at all. */
export const FLOOR = "floor";

/** The same, where `--offline` was given. */
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
};

/** How they are to review. */
export type RequestedModels = WantedModels & {
  readonly effort: Effort;
  /** What reviews have in common whose prompts begin alike; a provider sees a hash of it. */
  readonly repository: string;
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
    note: models.length > 0 ? null : problems.length > 0 ? NOT_TO_BE_HAD : NO_MODEL,
    problems,
  };
}

function chooseAsked(asked: string, settings: ModelSettings): ChosenModels {
  if (asked === FLOOR) return { models: [], note: "none: --model floor was asked for", problems: [] };
  if (asked === OFFLINE) return { models: [], note: "none: --offline", problems: [] };
  const found = findModel(asked, settings);
  if (typeof found !== "string") return { models: [found], note: null, problems: [] };
  throw new KodiaiError("config", found, { hint: "Mend that, choose another model, or see docs/models.md." });
}

/** The model, or why it cannot be had and what to do. */
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

/** A name without its provider, or with a wrong one; many tell whose they are. */
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
    return `the model "${shown}" is not of the form provider:name with one of ${MODEL_PROVIDERS.join(", ")}`;
  const key = access[guess.provider] === undefined ? ` and set ${neededFor(guess.provider)}` : "";
  return `the model "${shown}" has no known provider before its name: write ${guess.id}${key}`;
}

/** Longer ones are no names. */
const MAX_SHOWN_CHARS = 100;

/** Whose models are called like this. */
const OWNERS: readonly (readonly [ModelProvider, RegExp])[] = [
  ["openai", /^(?:gpt|chatgpt|codex|o\d)(?:-[\w.-]+)?$/],
  ["anthropic", /^claude-[\w.-]+$/],
  ["google", /^gemini-[\w.-]+$/],
];

/** The first provider with a key, in the order of the table. */
function defaultModel({ access }: ModelSettings): readonly ModelId[] {
  for (const { provider, name } of DEFAULT_MODELS)
    if (access[provider] !== undefined) return [{ id: `${provider}:${name}`, provider, name }];
  return [];
}

function withoutRepeats(models: readonly ModelId[]): readonly ModelId[] {
  return [...new Map(models.map((model) => [model.id, model])).values()];
}
