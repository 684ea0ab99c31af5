/** The providers of models. Reads the credentials and the URL of one. */
import type { SettingsReader } from "./settings-reader.ts";

/** The Claude Agent SDK, a provider's API, or a server with an OpenAI-compatible API. */
export const MODEL_PROVIDERS = ["claude", "anthropic", "openai", "google", "compatible"] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

export type ProviderAccess = {
  readonly key: string | null;
  /** Null for the provider's default URL. */
  readonly baseUrl: string | null;
};

/** Access by key; null without one. The first name that is set counts. */
export function readKeyAccess(
  reader: SettingsReader,
  keyNames: readonly string[],
  urlName: string,
): ProviderAccess | null {
  const name = keyNames.find((candidate) => reader.text(candidate) !== null);
  if (name === undefined) return null;
  return { key: reader.text(name), baseUrl: readServiceUrl(reader, urlName, name) };
}

/** Access to the operator's own server, such as vLLM or Ollama, which may not need a key; null without a URL. */
export function readServerAccess(
  reader: SettingsReader,
  urlName: string,
  keyName: string,
): ProviderAccess | null {
  const baseUrl = readServiceUrl(reader, urlName, keyName);
  return baseUrl === null ? null : { key: reader.text(keyName), baseUrl };
}

/** A `.env` file in the current folder must not decide which host receives a key from the environment. */
export function readServiceUrl(reader: SettingsReader, urlName: string, keyName: string): string | null {
  if (reader.isFromFile(urlName) && reader.text(keyName) !== null && !reader.isFromFile(keyName))
    reader.addProblem(
      urlName,
      `is set in .env, but ${keyName} is set in the environment; set both in the same place`,
    );
  return reader.url(urlName);
}
