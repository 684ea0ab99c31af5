/** Composes package registries, changelogs and advisories from the settings. Loaded for the first change that touches a dependency. */
import { readRegistrySettings } from "../config/registry-settings.ts";
import type { SettingsSource } from "../config/settings-reader.ts";
import { createAdvisories } from "../registries/advisories/create-advisories.ts";
import { createRegistries } from "../registries/create-registries.ts";
import { createDiskCache } from "../registries/disk-cache.ts";
import { createDownloads } from "../registries/downloads.ts";
import { canReadPrivateRepositories, createGithubAccess, GITHUB_API } from "../registries/github-access.ts";
import { createHttpClient, type HttpClient } from "../registries/http-client.ts";
import type { Reader } from "../reading/reader.ts";
import type { Registries } from "../registries/registries.ts";
import { createPackageParsers } from "./parse-packages.ts";

export type RegistryOptions = {
  readonly version: string;
  /** Folder for answers; null to keep none. */
  readonly cacheFolder: string | null;
  readonly openReader: (signal: AbortSignal) => Promise<Reader>;
  /** The user wants no requests, whatever the settings say. Left out: the settings decide. */
  readonly isOffline?: boolean;
};

export function openRegistries(
  source: SettingsSource,
  { version, cacheFolder, openReader, isOffline = false }: RegistryOptions,
): Registries {
  const { npmRegistry, advisories } = readRegistrySettings(source);
  const { anonymous, withToken } = openClients(source, version, isOffline);
  const http = withToken === null ? anonymous : createGithubAccess({ anonymous, withToken });
  const cache = cacheFolder === null ? null : createDiskCache({ folder: cacheFolder });
  const parsers = createPackageParsers(openReader);
  const readAdvisories = createAdvisories({
    http,
    downloads: createDownloads(http, cache, parsers),
    offlineCopy: advisories,
  });
  return createRegistries({ http, cache, npmRegistry, readAdvisories, parsers });
}

/** Whether GITHUB_TOKEN can read more than look-ups need. False also when it isn't known. */
export async function isTokenTooPowerful(source: SettingsSource, version: string): Promise<boolean> {
  const { withToken } = openClients(source, version, false);
  return withToken !== null && canReadPrivateRepositories(withToken, new AbortController().signal);
}

function openClients(
  source: SettingsSource,
  version: string,
  mustBeOffline: boolean,
): { readonly anonymous: HttpClient; readonly withToken: HttpClient | null } {
  const { origins, isOffline, githubToken } = readRegistrySettings(source);
  const settings = { origins, isOffline: isOffline || mustBeOffline, userAgent: `kodiai/${version}` };
  return {
    anonymous: createHttpClient(settings),
    withToken:
      githubToken === null
        ? null
        : createHttpClient({ ...settings, tokens: new Map([[GITHUB_API, githubToken]]) }),
  };
}
