/** The shared part of all look-ups of one change: settings, limits, and functions that are loaded on demand. */
import type { RepoConfig } from "../../../config/repo-config/schema.ts";
import type { Registries } from "../../../registries/registries.ts";
import type { Lookup, LookupFailure } from "../../../ecosystems/lookups.ts";
import type { PackageChange } from "../../../ecosystems/package-change.ts";
import type { Change } from "../../../review/change/change.ts";
import type { Degradations } from "../optional.ts";
import type { ReportDeps } from "./report-deps.ts";

/** Each look-up; all together have their own limit. */
const EACH_MS = 5_000;

export type LookupRun = {
  readonly change: Change;
  readonly settings: RepoConfig["dependencies"];
  readonly bumps: Awaited<ReturnType<typeof loadBumps>>;
  readonly isPrivate: (change: PackageChange) => boolean;
  readonly deps: ReportDeps;
  readonly degradations: Degradations;
  /** Null: nothing is looked up. */
  readonly registries: Registries | null;
  /** Aborted when the time for look-ups is over. */
  readonly signal: AbortSignal;
};

/** Loaded only for a change with dependencies. */
export async function loadBumps() {
  const [
    { excerptChangelog },
    { describedNotes },
    { notesBetween },
    { fullVersion },
    { importNamesOf, searchTermsOf },
    { wantedNamesOf },
    { apiFilesOf },
    { matchAdvisories },
    { orderPackages },
    { findReleaseSignals },
    { findConcerns },
    { ecosystemOf },
  ] = await Promise.all([
    import("../../../ecosystems/changelog/excerpt-changelog.ts"),
    import("../../../ecosystems/changelog/description-notes.ts"),
    import("../../../ecosystems/changelog/notes-between.ts"),
    import("../../../ecosystems/versions/version-prefix.ts"),
    import("../../../ecosystems/api/uses/import-names.ts"),
    import("../../../ecosystems/api/uses/wanted-names.ts"),
    import("../../../ecosystems/api/compare-api.ts"),
    import("../../../ecosystems/match-advisories.ts"),
    import("../../../ecosystems/order-packages.ts"),
    import("../../../ecosystems/supply-chain/release-signals.ts"),
    import("./find-concerns.ts"),
    import("../../../ecosystems/all-ecosystems.ts"),
  ]);
  return {
    excerptChangelog,
    describedNotes,
    notesBetween,
    fullVersion,
    importNamesOf,
    searchTermsOf,
    wantedNamesOf,
    apiFilesOf,
    matchAdvisories,
    orderPackages,
    findReleaseSignals,
    findConcerns,
    ecosystemOf,
  };
}

export const unanswered = (
  reason: LookupFailure,
): { readonly kind: "failed"; readonly reason: LookupFailure } => ({
  kind: "failed",
  reason,
});

/** A look-up that takes too long is one that failed. */
export async function withinTime<Value>(
  { signal }: Pick<LookupRun, "signal">,
  ask: (signal: AbortSignal) => Promise<Lookup<Value>>,
): Promise<Lookup<Value>> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(EACH_MS)]);
  const late = new Promise<Lookup<Value>>((resolve) => {
    limited.addEventListener("abort", () => resolve(unanswered("time")), { once: true });
  });
  return limited.aborted ? unanswered("time") : Promise.race([ask(limited), late]);
}
