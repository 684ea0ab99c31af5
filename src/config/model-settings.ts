/** Settings of models: which one, the keys that are there, where they lead, and what the operator lets them cost. */
import { BUDGET_VARIABLES, LIMIT_VARIABLES } from "./model-variables.ts";
import type { RepoConfig } from "./repo-config/schema.ts";
import { createSettingsReader, type SettingsReader, type SettingsSource } from "./settings-reader.ts";

/** Who answers: the Claude Agent SDK, a provider's own interface, or a server that speaks OpenAI's. */
export const MODEL_PROVIDERS = ["claude", "anthropic", "openai", "google", "compatible"] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/** What leads to a provider. */
export type ProviderAccess = {
  readonly key: string | null;
  /** Null: where the provider is by itself. */
  readonly baseUrl: string | null;
};

export type ModelSettings = {
  /** `provider:name`, "floor" for none, null when nothing was said. */
  readonly model: string | null;
  /** Only providers that can be used: with a key, or for a server of one's own with an address. */
  readonly access: Readonly<Partial<Record<ModelProvider, ProviderAccess>>>;
  /** A token of a Claude subscription, for the Claude Agent SDK. */
  readonly claudeToken: string | null;
  /** Ceilings of whoever pays; those of a repository can only be lower. Null: none, also where there is one by default. */
  readonly budgets: OperatorBudgets;
  /** Most model reviews of a pull request within an hour; a repository can only lower them. */
  readonly limits: Partial<RepoConfig["limits"]>;
  /** By `provider:name`; they beat the table of prices. */
  readonly prices: RepoConfig["prices"];
  /** Every run is stored with what went to the model and what came back. */
  readonly recordsRuns: boolean;
};

export type OperatorBudgets = { readonly [Key in keyof RepoConfig["budget"]]?: number | null | undefined };

export function readModelSettings(source: SettingsSource): ModelSettings {
  const reader = createSettingsReader(source);
  const settings: ModelSettings = {
    model: reader.text("KODIAI_MODEL"),
    access: readAccess(reader),
    claudeToken: reader.text("CLAUDE_CODE_OAUTH_TOKEN"),
    budgets: readBudgets(reader),
    limits: readLimits(reader),
    prices: readPrices(reader),
    recordsRuns: reader.choice("KODIAI_RECORD_RUNS", ["on", "off"]) === "on",
  };
  reader.refuse();
  return settings;
}

function readAccess(reader: SettingsReader): ModelSettings["access"] {
  const anthropic = access(reader, ["ANTHROPIC_API_KEY"], "ANTHROPIC_BASE_URL");
  const isClaude = anthropic !== null || reader.text("CLAUDE_CODE_OAUTH_TOKEN") !== null;
  const claude = isClaude
    ? {
        key: anthropic?.key ?? null,
        baseUrl: serviceUrl(reader, "ANTHROPIC_BASE_URL", "CLAUDE_CODE_OAUTH_TOKEN"),
      }
    : null;
  const found = {
    claude: anthropic ?? claude,
    anthropic,
    openai: access(reader, ["OPENAI_API_KEY"], "OPENAI_BASE_URL"),
    google: access(reader, ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"], "GOOGLE_BASE_URL"),
    compatible: ownServer(reader),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== null));
}

function access(reader: SettingsReader, keyNames: readonly string[], urlName: string): ProviderAccess | null {
  const name = keyNames.find((candidate) => reader.text(candidate) !== null);
  if (name === undefined) return null;
  return { key: reader.text(name), baseUrl: serviceUrl(reader, urlName, name) };
}

/** A `.env` of a folder that somebody stands in must not say where a key from the environment is shown. */
function serviceUrl(reader: SettingsReader, urlName: string, keyName: string): string | null {
  if (reader.isFromFile(urlName) && reader.text(keyName) !== null && !reader.isFromFile(keyName))
    reader.wrong(urlName, `is set in .env, and ${keyName} in the environment: set both in the same place`);
  return reader.url(urlName);
}

/** A server of one's own, such as vLLM or Ollama, may need no key. */
function ownServer(reader: SettingsReader): ProviderAccess | null {
  const baseUrl = serviceUrl(reader, "KODIAI_COMPATIBLE_URL", "KODIAI_COMPATIBLE_KEY");
  return baseUrl === null ? null : { key: reader.text("KODIAI_COMPATIBLE_KEY"), baseUrl };
}

function readBudgets(reader: SettingsReader): OperatorBudgets {
  return Object.fromEntries(
    Object.entries(BUDGET_VARIABLES).flatMap(([key, name]) => {
      const text = reader.text(name);
      if (text === null) return [];
      return [[key, text.toLowerCase() === "none" ? null : reader.usd(name)]];
    }),
  );
}

/** More than anyone needs to say that there is no limit. */
const MAX_LIMIT = 1_000;

function readLimits(reader: SettingsReader): ModelSettings["limits"] {
  return Object.fromEntries(
    Object.entries(LIMIT_VARIABLES).flatMap(([key, name]) =>
      reader.text(name) === null ? [] : [[key, reader.number(name, null, { min: 0, max: MAX_LIMIT })]],
    ),
  );
}

/** As in `.kodiai.yml`, in JSON. */
function readPrices(reader: SettingsReader): RepoConfig["prices"] {
  const name = "KODIAI_PRICES";
  const text = reader.text(name);
  if (text === null) return {};
  const prices = parseJson(text);
  if (isPriceTable(prices)) return prices;
  reader.wrong(
    name,
    'must be JSON such as {"compatible:qwen3": {"inputUsd": 0.2, "outputUsd": 0.8}}, in US dollars per million tokens',
  );
  return {};
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isPriceTable(value: unknown): value is RepoConfig["prices"] {
  return isRecord(value) && Object.values(value).every(isPrice);
}

function isPrice(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { inputUsd, outputUsd, cachedInputUsd = 0, ...rest } = value;
  return [inputUsd, outputUsd, cachedInputUsd].every(isAmount) && Object.keys(rest).length === 0;
}

function isAmount(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
