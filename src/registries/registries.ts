/**
 * The Registries port: package registries, changelogs and advisories. Nothing here throws for a failure of the outside world: it
 * is a value.
 */
import type { PackageSource } from "../languages/api/package-source.ts";
import type {
  AdvisorySource,
  Changelog,
  Lookup,
  PackageId,
  Release,
  VersionAdvisories,
} from "../ecosystems/lookups.ts";

export type Registries = {
  readRelease(id: PackageId, version: string, signal: AbortSignal): Promise<Lookup<Release>>;
  /** The files that `wants` accepts. */
  readSource(
    id: PackageId,
    version: string,
    options: { readonly wants: (path: string) => boolean; readonly signal: AbortSignal },
  ): Promise<Lookup<PackageSource>>;
  readChangelog(
    id: PackageId,
    versions: { readonly from: string; readonly to: string },
    signal: AbortSignal,
  ): Promise<Lookup<Changelog>>;
  readAdvisories(
    wanted: readonly { readonly id: PackageId; readonly version: string }[],
    signal: AbortSignal,
  ): Promise<{ readonly source: AdvisorySource; readonly versions: readonly VersionAdvisories[] }>;
};
