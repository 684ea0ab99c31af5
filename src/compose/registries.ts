/** Composes package registries, changelogs and advisories from the settings. Loaded for the first change that touches a dependency. */
import { readRegistrySettings } from "../config/registry-settings.ts";
import type { SettingsSource } from "../config/settings-reader.ts";
import { createAdvisories } from "../registries/advisories/create-advisories.ts";
import { createRegistries } from "../registries/create-registries.ts";
import { createDiskCache } from "../registries/disk-cache.ts";
import { createDownloads } from "../registries/downloads.ts";
import { createHttpClient } from "../registries/http-client.ts";
import type { Reader } from "../reading/reader.ts";
import type { Registries } from "../registries/registries.ts";
import { createPackageParsers } from "./parse-packages.ts";

export type RegistryOptions = {
  readonly version: string;
  /** Folder for answers; null to keep none. */
  readonly cacheFolder: string | null;
  readonly openReader: (signal: AbortSignal) => Promise<Reader>;
};

export function openRegistries(
  source: SettingsSource,
  { version, cacheFolder, openReader }: RegistryOptions,
): Registries {
  const { origins, isOffline, npmRegistry, githubToken, advisories } = readRegistrySettings(source);
  const tokens = new Map(githubToken === null ? [] : [["https://api.github.com", githubToken] as const]);
  const http = createHttpClient({ origins, isOffline, tokens, userAgent: `kodiai/${version}` });
  const cache = cacheFolder === null ? null : createDiskCache({ folder: cacheFolder });
  const parsers = createPackageParsers(openReader);
  const readAdvisories = createAdvisories({
    http,
    downloads: createDownloads(http, cache, parsers),
    offlineCopy: advisories,
  });
  return createRegistries({ http, cache, npmRegistry, readAdvisories, parsers });
}
