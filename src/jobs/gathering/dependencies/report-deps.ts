/** The ports of the report about dependencies. */
import type { Reader } from "../../../reading/reader.ts";
import type { Registries } from "../../../registries/registries.ts";
import type { Repository } from "../../../repository/repository.ts";
import type { PastBump } from "../../../ecosystems/dependency-report.ts";
import type { PackageId } from "../../../ecosystems/lookups.ts";

export type DependencyLookups = {
  /** Called for the first change with dependencies. */
  readonly openRegistries: () => Promise<Registries>;
  /** Milliseconds since 1970. */
  readonly wallClock: () => number;
};

export type PastBumpReader = (ids: readonly PackageId[]) => Promise<readonly (PackageId & PastBump)[]>;

export type ReportDeps = {
  readonly repository: Repository | null;
  readonly reader: Reader;
  /** Null when nothing may be looked up. */
  readonly lookups: DependencyLookups | null;
  /** Reads what became of earlier bumps of these packages, newest first. Null where nothing is remembered. */
  readonly readPastBumps: PastBumpReader | null;
  readonly signal: AbortSignal;
};
