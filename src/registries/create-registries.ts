/** Creates the Registries port from its parts. Only names that can be names of packages reach a registry. */
import type { Lookup, PackageId } from "../ecosystems/lookups.ts";
import { readChangelog } from "./changelogs.ts";
import type { DiskCache } from "./disk-cache.ts";
import { createDownloads, failedLookup } from "./downloads.ts";
import { createAllRegistries } from "./ecosystems/all-registries.ts";
import type { PackageRegistry } from "./ecosystems/package-registry.ts";
import type { HttpClient } from "./http-client.ts";
import type { PackageParsers } from "./package-parsers.ts";
import type { Registries } from "./registries.ts";

/** Versions and tags of all ecosystems. They never contain what has a meaning in a URL's path. */
const VERSION = /^[A-Za-z\d_][\w.+!~@/-]{0,199}$/;

export type RegistriesParts = {
  readonly http: HttpClient;
  /** Null: nothing is kept. */
  readonly cache: DiskCache | null;
  readonly npmRegistry: string;
  readonly readAdvisories: Registries["readAdvisories"];
  readonly parsers: PackageParsers;
};

export function createRegistries(parts: RegistriesParts): Registries {
  const { http, cache, npmRegistry, readAdvisories, parsers } = parts;
  const downloads = createDownloads(http, cache, parsers);
  const registries = createAllRegistries(downloads, { npmRegistry });

  async function withRegistry<Value>(
    { ecosystem, name }: PackageId,
    versions: readonly string[],
    read: (registry: PackageRegistry) => Promise<Lookup<Value>>,
  ): Promise<Lookup<Value>> {
    const registry = registries[ecosystem];
    if (registry === null) return failedLookup("unsupported");
    return registry.isName(name) && versions.every(isVersion) ? read(registry) : failedLookup("unsupported");
  }

  return {
    readRelease: (id, version, signal) =>
      withRegistry(id, [version], (registry) => registry.readRelease(id.name, version, signal)),
    readSource: (id, version, options) =>
      withRegistry(id, [version], (registry) =>
        registry.readSource(id.name, version, { ...options, purpose: "code" }),
      ),
    readChangelog: (id, { from, to }, signal) =>
      withRegistry(id, [from, to], (registry) =>
        readChangelog(id, { from, to }, { registry, downloads, signal }),
      ),
    readAdvisories,
  } satisfies Registries;
}

function isVersion(version: string): boolean {
  return VERSION.test(version) && !/(?:^|\/)\.\.?(?:\/|$)/.test(version);
}
