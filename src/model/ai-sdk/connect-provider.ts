/**
 * The providers, each loaded when it is used. Everything a provider could otherwise take from the environment, its address and its
 * key, is given to it.
 */
import { KodiaiError } from "../../base/errors.ts";
import type { Effort } from "../../config/effort.ts";
import type { Fetch, LanguageModel, ProviderOptions } from "./language-model.ts";

export type AiSdkProvider = "openai" | "anthropic" | "google" | "compatible";

export type AiSdkOptions = {
  /** `provider:name`. */
  readonly id: string;
  readonly provider: AiSdkProvider;
  readonly name: string;
  /** Null only for a compatible server that wants none. */
  readonly apiKey: string | null;
  /** Null: the provider's own; a compatible server has none. */
  readonly baseUrl: string | null;
  readonly effort: Effort;
  /** The same for calls that begin alike, and nobody's name. */
  readonly cacheKey: string;
};

export type ProviderConnection = {
  /** The only address that may be contacted. */
  readonly origin: string;
  readonly open: (fetch: Fetch) => LanguageModel;
  /** For every call. */
  readonly callOptions: ProviderOptions;
  /** On a message: everything up to here is worth keeping in the provider's cache. Null where that goes by itself. */
  readonly cacheMark: ProviderOptions | null;
};

const DEFAULT_URLS = {
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
} as const;

/** What the path of an address ends with; people leave it out, and other programs of the provider want it left out. */
const VERSIONS = { openai: "/v1", anthropic: "/v1", google: "/v1beta" } as const;

function wrong(message: string, hint: string): KodiaiError {
  return new KodiaiError("config", message, { hint });
}

/** Without a slash at its end, with the version of the provider's API. */
export function addressOf(provider: AiSdkProvider, baseUrl: string | null): string {
  if (baseUrl === null) {
    if (provider === "compatible")
      throw wrong(
        "the compatible model has no address",
        "Set KODIAI_COMPATIBLE_URL to the URL of its server.",
      );
    return DEFAULT_URLS[provider];
  }
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw wrong(
      `the address of the ${provider} model is no URL`,
      "Give one that begins with http:// or https://.",
    );
  const path = url.pathname.replace(/\/+$/, "");
  if (provider === "compatible") return `${url.origin}${path}`;
  const version = VERSIONS[provider];
  // A gateway has a path of its own, and knows whether a version belongs there; Anthropic's programs always add it.
  const isComplete = path.endsWith(version) || (path !== "" && provider !== "anthropic");
  return `${url.origin}${path}${isComplete ? "" : version}`;
}

function keyOf({ provider, apiKey }: AiSdkOptions): string {
  if (apiKey !== null && apiKey !== "") return apiKey;
  throw wrong(`there is no key for ${provider}`, `Give the key of ${provider}, or choose another model.`);
}

export async function connectProvider(options: AiSdkOptions): Promise<ProviderConnection> {
  const { provider, name } = options;
  const baseURL = addressOf(provider, options.baseUrl);
  const { origin } = new URL(baseURL);
  switch (provider) {
    case "openai": {
      const apiKey = keyOf(options);
      const { createOpenAI } = await import("@ai-sdk/openai");
      return {
        origin,
        open: (fetch) => createOpenAI({ apiKey, baseURL, fetch }).responses(name),
        // Nothing of a change stays with the provider. A summary of what the model thinks is for verified organisations only.
        callOptions: {
          openai: { store: false, promptCacheKey: options.cacheKey, reasoningSummary: null },
        },
        cacheMark: null,
      };
    }
    case "anthropic": {
      const apiKey = keyOf(options);
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return {
        origin,
        open: (fetch) => createAnthropic({ apiKey, baseURL, fetch })(name),
        callOptions: {},
        cacheMark: { anthropic: { cacheControl: { type: "ephemeral" } } },
      };
    }
    case "google": {
      const apiKey = keyOf(options);
      const { createGoogle } = await import("@ai-sdk/google");
      return {
        origin,
        open: (fetch) => createGoogle({ apiKey, baseURL, fetch })(name),
        callOptions: {},
        cacheMark: null,
      };
    }
    case "compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const key = options.apiKey === null ? {} : { apiKey: options.apiKey };
      return {
        origin,
        open: (fetch) =>
          createOpenAICompatible({ ...key, name: "compatible", baseURL, fetch, includeUsage: true })(name),
        callOptions: {},
        cacheMark: null,
      };
    }
  }
}
