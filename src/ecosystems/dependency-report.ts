/** Everything Kodiai found out about the dependency changes of one change: the facts that formats, prompts and rules show. */
import type { ApiDifference } from "../languages/api/api-difference.ts";
import type { UsePlace } from "../languages/uses/package-uses.ts";
import type { UseSummary } from "./api/uses/summarize-uses.ts";
import type { Advisory, AdvisorySource, ChangelogOrigin, Lookup, Release, ReleaseNote } from "./lookups.ts";
import type { Disagreement, PackageChange, UnreadFile } from "./package-change.ts";
import type { Signal } from "./supply-chain/signal.ts";

/** An advisory, and what the change does about it. */
export type AdvisoryFact = {
  readonly advisory: Advisory;
  readonly fate: "fixed" | "still-affecting" | "introduced";
};

/** The release notes between the two versions. */
export type ChangelogExcerpt = {
  readonly origin: ChangelogOrigin;
  readonly notes: readonly ReleaseNote[];
  /** Notes about breaking changes, found in the complete text. */
  readonly breaking: readonly string[];
  /** Symbols that the notes call removed or renamed. */
  readonly symbols: readonly string[];
  /** Characters that the excerpt left out. */
  readonly omittedChars: number;
};

/** An earlier bump of the same package in this repository, and its end. */
export type PastBump = {
  readonly from: string;
  readonly to: string;
  /** ISO 8601. */
  readonly mergedAt: string;
  /** Null when it is still in place. */
  readonly revertedAt: string | null;
};

export type ConfidenceLevel = "low" | "medium" | "high";

export type ConfidenceReason =
  | "breaking-version"
  /** This one lowers nothing: all that a major, or a minor below 1.0, takes away is known, and nothing of it concerns this repository. */
  | "breaks-elsewhere"
  /** A minor below 1.0 that neither a number, nor notes, nor exports say anything about. */
  | "unproven-version"
  | "affected-call-sites"
  | "grave-advisory"
  | "advisory"
  | "breaking-notes"
  | "tampering"
  | "supply-chain"
  | "unknown-version"
  | "downgrade"
  | "reverted-before"
  /** A manifest and its lockfile contradict each other. */
  | "disagreement"
  /** A file couldn't be read, so its packages are unknown. */
  | "files-unread"
  /** No database answered whether an advisory applies. Silence isn't proof that none does. */
  | "advisories-unknown"
  /** The registry didn't answer, so who published it, when and with which scripts isn't known. */
  | "release-unknown"
  /** This one lowers nothing: it is a reason to hurry. */
  | "fixes-advisory";

export type Confidence = {
  readonly level: ConfidenceLevel;
  /** In the order above. */
  readonly reasons: readonly ConfidenceReason[];
};

export type ReportedPackage = {
  readonly change: PackageChange;
  readonly release: Lookup<Release>;
  readonly advisories: Lookup<readonly AdvisoryFact[]>;
  readonly changelog: Lookup<ChangelogExcerpt>;
  /** Both versions on the forge; null when the repository is unknown. */
  readonly compareUrl: string | null;
  readonly api: Lookup<ApiDifference>;
  /** Places of this repository that use what the new version removes or changes. Null when they weren't searched. */
  readonly uses: UseSummary | null;
  /** The parts that a major, or a minor below 1.0, takes away and that can concern this repository. Null: not everything is known that would show it. */
  readonly concerns: readonly string[] | null;
  readonly signals: readonly Signal[];
  readonly history: readonly PastBump[];
  readonly confidence: Confidence;
};

export type DependencyReport = {
  /** "pure": the change has only manifests, lockfiles and what tools generate from them. */
  readonly extent: "pure" | "mixed";
  /** The bot that opened the pull request, by its description. */
  readonly bot: "dependabot" | "renovate" | null;
  /** The ones that the change is about first, then direct ones, then by name. */
  readonly packages: readonly ReportedPackage[];
  readonly disagreements: readonly Disagreement[];
  readonly unread: readonly UnreadFile[];
  /** Null when nothing was asked. */
  readonly advisorySource: AdvisorySource | null;
  /** The lowest of all packages. */
  readonly confidence: Confidence;
};

/** Places that fail when the code runs or is built; tests and types fail earlier, or not at all. */
export function affectedPlaces({ uses }: Pick<ReportedPackage, "uses">): readonly UsePlace[] {
  return (uses?.places ?? []).filter(({ isTest, isTypeOnly }) => !isTest && !isTypeOnly);
}
