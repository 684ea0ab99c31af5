/**
 * Connects to a provider; each SDK is loaded on first use. The address and the key are passed explicitly, so that no SDK reads them from
 * the environment.
 */
import { KodiaiError } from "../../base/errors.ts";
import type { AnswerStyle } from "../../config/answer-style.ts";
import type { Exchange } from "../exchange.ts";
import type { Fetch, LanguageModel, ProviderOptions } from "./language-model.ts";

export type AiSdkProvider = "openai" | "anthropic" | "google" | "compatible";

export type AiSdkOptions = AnswerStyle & {
  /** `provider:name`. */
  readonly id: string;
  readonly provider: AiSdkProvider;
  readonly name: string;
  /** Null only for a compatible server without authentication. */
  readonly apiKey: string | null;
  /** Null: the provider's default. A compatible server has no default. */
  readonly baseUrl: string | null;
  /** The same for calls with a common prefix. Contains no name. */
  readonly cacheKey: string;
  /** Left out: every request goes to the provider. */
  readonly exchange?: Exchange | undefined;
};

export type ProviderConnection = {
  /** The only address that may be contacted. */
  readonly origin: string;
  readonly open: (fetch: Fetch) => LanguageModel;
  /** For every call. */
  readonly callOptions: ProviderOptions;
  /** Marks a message: the provider caches everything up to it. Null where caching is automatic. */
  readonly cacheMark: ProviderOptions | null;
};

const DEFAULT_URLS = {
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
} as const;

/** The end of an address's path. Users omit it, and the provider's own tools expect it omitted. */
const VERSIONS = { openai: "/v1", anthropic: "/v1", google: "/v1beta" } as const;

function wrong(message: string, hint: string): KodiaiError {
  return new KodiaiError("config", message, { hint });
}

/** The address with the provider's API version and without a trailing slash. */
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
      `the address of the ${provider} model isn't a URL`,
      "Use a URL that starts with http:// or https://.",
    );
  const path = url.pathname.replace(/\/+$/, "");
  if (provider === "compatible") return `${url.origin}${path}`;
  const version = VERSIONS[provider];
  // The path of a gateway may already imply a version. Anthropic's tools always append it.
  const isComplete = path.endsWith(version) || (path !== "" && provider !== "anthropic");
  return `${url.origin}${path}${isComplete ? "" : version}`;
}

function keyOf({ provider, apiKey }: AiSdkOptions): string {
  if (apiKey !== null && apiKey !== "") return apiKey;
  throw wrong(`no API key for ${provider}`, `Set the key of ${provider}, or choose another model.`);
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
        // The provider stores nothing of the change. Reasoning summaries are for verified organizations, so a call requests them or not.
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
