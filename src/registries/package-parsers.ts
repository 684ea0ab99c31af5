/**
 * The parsers of what strangers publish: archives and changelogs. The composition root runs them in the reader, so that hostile bytes cost
 * only their own look-up, and never the process that answers webhooks.
 */
import type { ChangelogSection } from "../ecosystems/changelog/split-changelog.ts";
import type { PackageSource } from "../languages/api/package-source.ts";
import type { Lookup } from "../ecosystems/lookups.ts";
import type { ArchiveFormat, ArchiveOptions } from "./archives.ts";

/** Neither rejects: a limit is a failed look-up. */
export type PackageParsers = {
  readArchive(bytes: Buffer, format: ArchiveFormat, options: ArchiveOptions): Promise<Lookup<PackageSource>>;
  splitChangelog(text: string): Promise<Lookup<readonly ChangelogSection[]>>;
};
