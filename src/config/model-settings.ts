/** Reads model settings: the model, API keys and URLs, spending limits and prices. */
import { parseJson } from "../base/parse-json.ts";
import { BUDGET_VARIABLES, LIMIT_VARIABLES } from "./model-variables.ts";
import type { RepoConfig } from "./repo-config/schema.ts";
import {
  type ModelProvider,
  type ProviderAccess,
  readKeyAccess,
  readServerAccess,
  readServiceUrl,
} from "./provider-access.ts";
import { createSettingsReader, type SettingsReader, type SettingsSource } from "./settings-reader.ts";

export type ModelSettings = {
  /** `provider:name`; "floor" for built-in rules only; null if not set. */
  readonly model: string | null;
  /** Only usable providers: those with a key, and a compatible server with a URL. */
  readonly access: Readonly<Partial<Record<ModelProvider, ProviderAccess>>>;
  /** Token of a Claude subscription, for the Claude Agent SDK. */
  readonly claudeToken: string | null;
  /** The operator's spending limits. A repository can only lower them. Null means no limit, even if there is a default. */
  readonly budgets: OperatorBudgets;
  /** Maximum number of model reviews per pull request and hour. A repository can only lower them. */
  readonly limits: Partial<RepoConfig["limits"]>;
  /** By `provider:name`. They override the built-in price table. */
  readonly prices: RepoConfig["prices"];
  /** How many conversations with models one review may have at a time. */
  readonly concurrency: number;
  /** Every run is stored with all model requests and responses. */
  readonly recordsRuns: boolean;
};

export type OperatorBudgets = { readonly [Key in keyof RepoConfig["budget"]]?: number | null | undefined };

/** As many as a review has findings to check, so that all are checked in the time of one. */
const DEFAULT_CONCURRENCY = 12;
const MAX_CONCURRENCY = 100;

export function readModelSettings(source: SettingsSource): ModelSettings {
  const reader = createSettingsReader(source);
  const settings: ModelSettings = {
    model: reader.text("KODIAI_MODEL"),
    access: readAccess(reader),
    claudeToken: reader.text("CLAUDE_CODE_OAUTH_TOKEN"),
    budgets: readBudgets(reader),
    limits: readLimits(reader),
    prices: readPrices(reader),
    concurrency: reader.number("KODIAI_MODEL_CONCURRENCY", DEFAULT_CONCURRENCY, {
      min: 1,
      max: MAX_CONCURRENCY,
    }),
    recordsRuns: reader.choice("KODIAI_RECORD_RUNS", ["on", "off"]) === "on",
  };
  reader.throwIfInvalid();
  return settings;
}

function readAccess(reader: SettingsReader): ModelSettings["access"] {
  const anthropic = readKeyAccess(reader, ["ANTHROPIC_API_KEY"], "ANTHROPIC_BASE_URL");
  const isClaude = anthropic !== null || reader.text("CLAUDE_CODE_OAUTH_TOKEN") !== null;
  const claude = isClaude
    ? {
        key: anthropic?.key ?? null,
        baseUrl: readServiceUrl(reader, "ANTHROPIC_BASE_URL", "CLAUDE_CODE_OAUTH_TOKEN"),
      }
    : null;
  const found = {
    claude: anthropic ?? claude,
    anthropic,
    openai: readKeyAccess(reader, ["OPENAI_API_KEY"], "OPENAI_BASE_URL"),
    google: readKeyAccess(reader, ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"], "GOOGLE_BASE_URL"),
    compatible: readServerAccess(reader, "KODIAI_COMPATIBLE_URL", "KODIAI_COMPATIBLE_KEY"),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== null));
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

/** High enough to mean no limit. */
const MAX_LIMIT = 1_000;

function readLimits(reader: SettingsReader): ModelSettings["limits"] {
  return Object.fromEntries(
    Object.entries(LIMIT_VARIABLES).flatMap(([key, name]) =>
      reader.text(name) === null ? [] : [[key, reader.number(name, null, { min: 0, max: MAX_LIMIT })]],
    ),
  );
}

/** Same keys as `prices` in `.kodiai.yml`, in JSON. */
function readPrices(reader: SettingsReader): RepoConfig["prices"] {
  const name = "KODIAI_PRICES";
  const text = reader.text(name);
  if (text === null) return {};
  const prices = parseJson(text);
  if (isPriceTable(prices)) return prices;
  reader.addProblem(
    name,
    'must be JSON such as {"compatible:qwen3": {"inputUsd": 0.2, "outputUsd": 0.8}}, in US dollars per million tokens',
  );
  return {};
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
