/**
 * Finds out what a dependency change means: advisories, release notes, changed exports and where this repository uses them. Everything is
 * bounded, and a look-up that failed is reported as such.
 */
import type { RepoConfig } from "../../../config/repo-config/schema.ts";
import type { Reader } from "../../../reading/reader.ts";
import type { Registries } from "../../../registries/registries.ts";
import type { Repository } from "../../../repository/repository.ts";
import type { ApiDifference } from "../../../review/bumps/api/api-difference.ts";
import type { UseSummary } from "../../../review/bumps/api/uses/summarize-uses.ts";
import type {
  BumpBot,
  ChangelogExcerpt,
  DependencyReport,
  PastBump,
  ReportedPackage,
} from "../../../review/bumps/dependency-report.ts";
import type {
  Advisory,
  AdvisorySource,
  Lookup,
  LookupFailure,
  PackageId,
  PackageSource,
  Release,
} from "../../../review/bumps/lookups.ts";
import type { PackageChange } from "../../../review/bumps/package-change.ts";
import type { Change } from "../../../review/change/change.ts";
import type { Degradations } from "../optional.ts";
import { headOf } from "../gather-listing.ts";
import type { PreparedReview } from "../prepare-review.ts";
import { findPackageUses } from "./find-package-uses.ts";
import { readPrivacy } from "./read-privacy.ts";

/** Most important packages first; the others are listed without look-ups. */
const MAX_LOOKED_UP = 10;
const MAX_CHANGELOGS = 5;
const MAX_APIS = 5;
const MAX_ADVISORY_PACKAGES = 500;
/** All look-ups together, and each. */
const TOTAL_MS = 15_000;
const EACH_MS = 5_000;
/** Archives are larger than answers. */
const MAX_COMPARE_MS = 20_000;

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
  /** Omitted: nothing is looked up. */
  readonly lookups?: DependencyLookups;
  /** Omitted: nothing is remembered. */
  readonly readPastBumps?: PastBumpReader;
  readonly signal: AbortSignal;
};

type Bumps = Awaited<ReturnType<typeof loadBumps>>;

type Settings = RepoConfig["dependencies"];

/** Null when the change touches no dependency, or they aren't wanted. */
export async function reportDependencies(
  prepared: PreparedReview,
  deps: ReportDeps,
): Promise<DependencyReport | null> {
  const { change, config, dependencies, degradations } = prepared;
  const settings = config.tree.root.values.dependencies;
  if (dependencies === null || !settings.enabled) return null;
  const bumps = await loadBumps();
  const ignored = new Set(settings.ignore);
  const changes = dependencies.packages.filter(({ name }) => !ignored.has(name));
  const isPrivate = await readPrivacy(prepared, deps.repository);
  const signal = AbortSignal.any([deps.signal, AbortSignal.timeout(TOTAL_MS)]);
  const { lookups } = deps;
  const registries =
    lookups === undefined ? null : await degradations.optional("look-ups", () => lookups.openRegistries());
  const run: Run = { change, settings, bumps, isPrivate, deps, degradations, registries, signal };
  const ranked = changes.toSorted((one, other) => rankOf(one) - rankOf(other));
  const [advisories, past, facts] = await Promise.all([
    lookUpAdvisories(changes, run),
    readHistory(changes, run),
    lookUpAll(ranked.slice(0, MAX_LOOKED_UP), run),
  ]);
  deps.signal.throwIfAborted();
  const packages = changes.map((each): ReportedPackage => {
    const item = {
      change: each,
      ...(facts.get(each) ?? notLookedUp(each, "limit")),
      advisories: advisories.of(each),
      history: past.get(keyOfPackage(each)) ?? [],
    };
    const whole = { ...item, signals: [...each.signals, ...item.signals] };
    return { ...whole, confidence: bumps.confidenceOf(whole) };
  });
  const { disagreements, unread, extent } = dependencies;
  return {
    extent,
    bot: botOf(change),
    packages,
    disagreements: disagreements.filter(({ name }) => !ignored.has(name)),
    unread,
    advisorySource: advisories.source,
    confidence: bumps.overallConfidence(
      packages.map(({ confidence }) => confidence),
      { disagreements, unread },
    ),
  };
}

/** Loaded only for a change with dependencies. */
async function loadBumps() {
  const [
    { confidenceOf, overallConfidence },
    { excerptChangelog },
    { importNamesOf, searchTermsOf },
    { wantedNamesOf },
    { apiFilesOf },
    { matchAdvisories },
    { findReleaseSignals },
  ] = await Promise.all([
    import("../../../review/bumps/confidence.ts"),
    import("../../../review/bumps/changelog/excerpt-changelog.ts"),
    import("../../../review/bumps/api/uses/import-names.ts"),
    import("../../../review/bumps/api/uses/wanted-names.ts"),
    import("../../../review/bumps/api/compare-api.ts"),
    import("../../../review/bumps/match-advisories.ts"),
    import("../../../review/bumps/supply-chain/release-signals.ts"),
  ]);
  return {
    confidenceOf,
    overallConfidence,
    excerptChangelog,
    importNamesOf,
    searchTermsOf,
    wantedNamesOf,
    apiFilesOf,
    matchAdvisories,
    findReleaseSignals,
  };
}

type Run = {
  readonly change: Change;
  readonly settings: Settings;
  readonly bumps: Bumps;
  readonly isPrivate: (change: PackageChange) => boolean;
  readonly deps: ReportDeps;
  readonly degradations: Degradations;
  /** Null: nothing is looked up. */
  readonly registries: Registries | null;
  /** Aborted when the time for look-ups is over. */
  readonly signal: AbortSignal;
};

/** Direct and breaking first: they are where a person decides something. */
function rankOf({ isDirect, isBreaking, group, to }: PackageChange): number {
  return (
    (to === null ? 8 : 0) + (isDirect === true ? 0 : 4) + (isBreaking ? 0 : 2) + (group === "runtime" ? 0 : 1)
  );
}

const failed = (reason: LookupFailure): { readonly kind: "failed"; readonly reason: LookupFailure } => ({
  kind: "failed",
  reason,
});

type Facts = Pick<ReportedPackage, "release" | "changelog" | "compareUrl" | "api" | "uses" | "signals">;

function notLookedUp(_: PackageChange, reason: LookupFailure): Facts {
  return {
    release: failed(reason),
    changelog: failed(reason),
    compareUrl: null,
    api: failed(reason),
    uses: null,
    signals: [],
  };
}

async function lookUpAll(
  chosen: readonly PackageChange[],
  run: Run,
): Promise<ReadonlyMap<PackageChange, Facts>> {
  const facts = await Promise.all(chosen.map((change, index) => lookUpPackage(change, index, run)));
  return new Map(
    chosen.flatMap((change, index) => {
      const known = facts[index];
      return known === undefined ? [] : [[change, known] as const];
    }),
  );
}

async function lookUpPackage(change: PackageChange, index: number, run: Run): Promise<Facts> {
  const { bumps, settings, deps, registries } = run;
  const isPrivate = run.isPrivate(change);
  const reason = registries === null ? "offline" : isPrivate ? "private" : "unsupported";
  const nothing = notLookedUp(change, reason);
  if (registries === null || isPrivate || change.to === null) {
    const uses = await findUses(
      change,
      { api: failed(reason), changelog: failed(reason), importNames: null },
      run,
    );
    return { ...nothing, uses };
  }
  const id: PackageId = { ecosystem: change.ecosystem, name: change.name };
  const { from, to } = change;
  const isStep = from !== null && from.version !== to.version;
  const release = (version: string): Promise<Lookup<Release>> =>
    within(run, (signal) => registries.readRelease(id, version, signal));
  const [after, before, changelog, compared] = await Promise.all([
    release(to.version),
    from === null ? null : release(from.version),
    isStep && settings.changelogs && index < MAX_CHANGELOGS
      ? within(run, (signal) => registries.readChangelog(id, { from: from.version, to: to.version }, signal))
      : failed(isStep && settings.changelogs ? "limit" : "unsupported"),
    isStep && settings.callSites && index < MAX_APIS && change.isDirect !== false
      ? compareArchives(id, { from: from.version, to: to.version }, run)
      : { api: failed(isStep ? "limit" : "unsupported"), importNames: null },
  ]);
  const excerpt: Lookup<ChangelogExcerpt> =
    changelog.kind === "found"
      ? { kind: "found", value: bumps.excerptChangelog(changelog.value) }
      : changelog;
  const signals =
    after.kind === "found"
      ? bumps.findReleaseSignals(change, {
          before: before?.kind === "found" ? before.value : null,
          after: after.value,
          now: deps.lookups?.wallClock() ?? 0,
          minAgeDays: settings.minReleaseAgeDays,
        })
      : [];
  return {
    release: after,
    changelog: excerpt,
    compareUrl: changelog.kind === "found" ? changelog.value.compareUrl : null,
    api: compared.api,
    uses: await findUses(change, { ...compared, changelog: excerpt }, run),
    signals,
  };
}

/** A look-up that takes too long is one that failed. */
async function within<Value>(
  { signal }: Run,
  ask: (signal: AbortSignal) => Promise<Lookup<Value>>,
): Promise<Lookup<Value>> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(EACH_MS)]);
  const late = new Promise<Lookup<Value>>((resolve) => {
    limited.addEventListener("abort", () => resolve(failed("time")), { once: true });
  });
  return limited.aborted ? failed("time") : Promise.race([ask(limited), late]);
}

/** `importNames`: null when the archives aren't known, so that they follow from the name. */
type Compared = { readonly api: Lookup<ApiDifference>; readonly importNames: readonly string[] | null };

async function compareArchives(
  id: PackageId,
  versions: { readonly from: string; readonly to: string },
  run: Run,
): Promise<Compared> {
  const { deps, bumps, registries } = run;
  const wants = bumps.apiFilesOf(id.ecosystem);
  const { reader } = deps;
  if (wants === null || registries === null) return { api: failed("unsupported"), importNames: null };
  const read = (version: string): Promise<Lookup<PackageSource>> =>
    within(run, (signal) => registries.readSource(id, version, { wants, signal }));
  const [before, after] = await Promise.all([read(versions.from), read(versions.to)]);
  const incomplete = [before, after].find((each) => each.kind !== "found");
  if (before.kind !== "found" || after.kind !== "found")
    return { api: incomplete?.kind === "failed" ? incomplete : { kind: "absent" }, importNames: null };
  const sources = { id, before: before.value, after: after.value };
  const reading = await reader.ask("compare-api", sources, MAX_COMPARE_MS);
  if (reading.kind !== "read")
    return { api: failed(reading.kind === "over-limit" ? "too-large" : "malformed"), importNames: null };
  const { difference, importNames } = reading.value;
  return {
    api: difference === null ? failed("unsupported") : { kind: "found", value: difference },
    importNames,
  };
}

/** Only direct dependencies have call sites here. */
async function findUses(
  { ecosystem, name, isDirect, to, kind }: PackageChange,
  { api, changelog, importNames: known }: Compared & Pick<ReportedPackage, "changelog">,
  { change, settings, bumps, deps }: Run,
): Promise<UseSummary | null> {
  const { repository, reader, signal } = deps;
  const isWanted = settings.callSites && isDirect === true && to !== null && kind !== "added";
  if (!isWanted || repository === null || bumps.apiFilesOf(ecosystem) === null) return null;
  const importNames = known ?? bumps.importNamesOf({ ecosystem, name }, []);
  const difference = api.kind === "found" ? api.value : null;
  const plainNames = difference === null && changelog.kind === "found" ? changelog.value.symbols : [];
  const wanted = {
    ecosystem,
    package: name,
    importNames,
    ...bumps.wantedNamesOf(difference, plainNames),
  };
  const terms = bumps.searchTermsOf(ecosystem, importNames);
  return findPackageUses(wanted, terms, { repository, revision: headOf(change), reader, signal });
}

type AdvisoryLookups = {
  readonly source: AdvisorySource | null;
  readonly of: (change: PackageChange) => ReportedPackage["advisories"];
};

async function lookUpAdvisories(changes: readonly PackageChange[], run: Run): Promise<AdvisoryLookups> {
  const { settings, bumps, registries, degradations, signal } = run;
  if (registries === null || !settings.advisories) return { source: null, of: () => failed("offline") };
  const asked = changes.filter((each) => !run.isPrivate(each)).slice(0, MAX_ADVISORY_PACKAGES);
  const wanted = asked.flatMap(({ ecosystem, name, from, to }) =>
    [from, to].flatMap((side) => (side === null ? [] : [{ id: { ecosystem, name }, version: side.version }])),
  );
  const answer = await degradations.optional("advisories", () => registries.readAdvisories(wanted, signal));
  if (answer === null) return { source: null, of: () => failed("malformed") };
  const { source, versions } = answer;
  const keyOf = ({ ecosystem, name }: PackageId, version: string): string =>
    `${ecosystem}\u0000${name}\u0000${version}`;
  const byVersion = new Map(versions.map((each) => [keyOf(each.id, each.version), each.advisories]));
  const sideOf = (id: PackageId, side: PackageChange["to"]): Lookup<readonly Advisory[]> | null =>
    side === null ? null : (byVersion.get(keyOf(id, side.version)) ?? failed("limit"));
  return {
    source,
    of(change) {
      if (run.isPrivate(change)) return failed("private");
      return bumps.matchAdvisories(sideOf(change, change.from), sideOf(change, change.to));
    },
  };
}

const keyOfPackage = ({ ecosystem, name }: PackageId): string => `${ecosystem}\u0000${name}`;

async function readHistory(
  changes: readonly PackageChange[],
  { deps: { readPastBumps }, degradations }: Run,
): Promise<ReadonlyMap<string, readonly PastBump[]>> {
  if (readPastBumps === undefined || changes.length === 0) return new Map();
  const past = await degradations.optional("earlier bumps", () => readPastBumps(changes));
  const byPackage = Map.groupBy(past ?? [], keyOfPackage);
  return new Map(
    [...byPackage].map(([key, bumps]) => [
      key,
      bumps.map(({ from, to, mergedAt, revertedAt }) => ({ from, to, mergedAt, revertedAt })),
    ]),
  );
}

/** Bots sign the descriptions of their pull requests. */
function botOf({ body }: Change): BumpBot | null {
  if (/dependabot-badges|Dependabot will (?:resolve|merge)/.test(body))
    return { name: "dependabot", compatibility: null };
  return /renovatebot\.com|\bRenovate Bot\b|<!--renovate/.test(body)
    ? { name: "renovate", compatibility: null }
    : null;
}
