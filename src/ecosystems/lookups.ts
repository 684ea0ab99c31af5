/**
 * Answers of registries, changelogs and advisory databases. A look-up that failed is a value of its own, so that nothing can take
 * it for "none".
 */
import type { EcosystemId } from "./ecosystem.ts";

export type LookupFailure =
  /** The operator or `--offline` allows no requests. */
  | "offline"
  /** The package isn't public, so its name isn't sent anywhere. */
  | "private"
  /** The host isn't on the list, or its address isn't public. */
  | "refused"
  | "time"
  | "too-large"
  | "rate-limited"
  | "network"
  | "malformed"
  /** Kodiai can't look this up for the ecosystem. */
  | "unsupported"
  /** The copy of advisories has none of this ecosystem. */
  | "not-copied"
  /** A limit of packages per review. */
  | "limit";

export type Lookup<Value> =
  | { readonly kind: "found"; readonly value: Value }
  /** The other side answered that it has nothing. */
  | { readonly kind: "absent" }
  | { readonly kind: "failed"; readonly reason: LookupFailure };

export type PackageId = { readonly ecosystem: EcosystemId; readonly name: string };

/** The facts that a registry has about one version. Null: unknown. */
export type Release = {
  /** ISO 8601. */
  readonly publishedAt: string | null;
  readonly hasInstallScript: boolean | null;
  /** Names of the people who published it, sorted. */
  readonly publishers: readonly string[] | null;
  /** `owner/name` on GitHub. */
  readonly repository: string | null;
  /** Folder inside that repository, for monorepos. */
  readonly folder: string | null;
  readonly isWithdrawn: boolean | null;
  /** The registry has the package and not this version: it was deleted, or never there. */
  readonly isUnpublished: boolean | null;
  /** The words of the registry why it shouldn't be used; empty if it isn't deprecated. */
  readonly deprecation: string | null;
  /** As the registry writes it: "MIT". */
  readonly licence: string | null;
  /** Whether the registry has a signed statement of where it was built. */
  readonly hasProvenance: boolean | null;
  /** Everyone who could publish it then, sorted. */
  readonly maintainers: readonly string[] | null;
};

export type ReleaseNote = { readonly version: string; readonly text: string; readonly url: string | null };

export type ChangelogOrigin =
  /** The package's own file in the new archive. */
  | "archive"
  /** The forge's releases between the two versions. */
  | "releases"
  /** The file in the package's repository, at the tag of the new version. */
  | "repository"
  /** The description of the pull request: the bot's words, or those of its author. */
  | "description";

export type Changelog = {
  readonly origin: ChangelogOrigin;
  /** Notes of the versions after `from` up to `to`, newest first. Empty if only the tags are known. */
  readonly notes: readonly ReleaseNote[];
  /** Comparison of the two tags on the forge; null if they aren't known. */
  readonly compareUrl: string | null;
};

export type AdvisorySeverity = "critical" | "high" | "medium" | "low" | "unknown";

/** Data about attacks, from files of the operator. */
export type Exploitation = {
  /** The date on which CISA's catalog listed it as exploited, "2026-01-31"; null: the catalog doesn't have it. */
  readonly knownSince: string | null;
  /** EPSS: how likely attacks in the next 30 days are, from 0 to 1. Null: it has no score. */
  readonly probability: number | null;
};

export type Advisory = {
  /** "GHSA-…" where there is one. */
  readonly id: string;
  readonly aliases: readonly string[];
  readonly severity: AdvisorySeverity;
  readonly summary: string;
  readonly url: string | null;
  /** The first versions that aren't affected. */
  readonly fixedIn: readonly string[];
  /** Omitted: no data says anything. */
  readonly exploitation?: Exploitation;
};

/** The advisories that affect each version of one package. */
export type VersionAdvisories = {
  readonly id: PackageId;
  readonly version: string;
  readonly advisories: Lookup<readonly Advisory[]>;
};

/** Where the advisories come from, and how old they are. */
export type AdvisorySource = {
  readonly name: "github" | "osv" | "offline";
  /** Date of the newest entry of an offline copy, ISO 8601; null when it was asked now. */
  readonly newest: string | null;
};
