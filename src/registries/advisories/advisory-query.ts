/** A question about versions of packages, and the answer that all sources give. */
import type {
  Advisory,
  AdvisorySource,
  Lookup,
  PackageId,
  VersionAdvisories,
} from "../../ecosystems/lookups.ts";

export type WantedVersion = { readonly id: PackageId; readonly version: string };

export type AdvisoryAnswer = {
  readonly source: AdvisorySource;
  readonly versions: readonly VersionAdvisories[];
};

export type AdvisoryReader = (
  wanted: readonly WantedVersion[],
  signal: AbortSignal,
) => Promise<AdvisoryAnswer>;

export const answered = (
  { id, version }: WantedVersion,
  advisories: Lookup<readonly Advisory[]>,
): VersionAdvisories => ({ id, version, advisories });
