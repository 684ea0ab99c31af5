/** The words for dependency changes, the same in every format. Names and notes of packages come from outside: formats make them safe. */
import { count } from "../base/count.ts";
import { describeApi, describeConcerns } from "./describe-api.ts";
import type { UsePlace } from "../languages/uses/package-uses.ts";
import type {
  AdvisoryFact,
  Confidence,
  ConfidenceReason,
  DependencyReport,
  ReportedPackage,
} from "./dependency-report.ts";
import type { FoldedPackage } from "./fold-platforms.ts";
import type { Lookup, LookupFailure } from "./lookups.ts";
import type {
  BumpKind,
  Disagreement,
  PackageChange,
  PackageVersion,
  UnreadFile,
  ReadingProblem,
} from "./package-change.ts";
import type { Signal, SignalKind } from "./supply-chain/signal.ts";

const KINDS: Readonly<Record<BumpKind, string>> = {
  patch: "patch",
  minor: "minor",
  major: "major",
  downgrade: "downgrade",
  added: "added",
  removed: "removed",
  requirement: "range only",
  reference: "moved reference",
  source: "other source",
  unknown: "unknown step",
};

/** "minor, breaking below 1.0". */
export function describeKind({ kind, isBreaking }: PackageChange): string {
  return kind === "minor" && isBreaking ? "minor, breaking below 1.0" : KINDS[kind];
}

const COMMIT_CHARS = 12;

/** "4.1.0", "4.1.0 (1a2b3c4d5e6f)", "^4.1.0" when only the range changed. */
export function describeVersion(version: PackageVersion | null, { kind }: PackageChange): string {
  if (version === null) return "–";
  if (kind === "requirement") return version.requirement ?? version.version;
  const ref = version.origin.kind === "git" ? version.origin.ref : null;
  const shown = /^[0-9a-f]{40,64}$/.test(version.version)
    ? version.version.slice(0, COMMIT_CHARS)
    : version.version;
  const isOther = ref !== null && ref !== version.version && /^[0-9a-f]{40,64}$/.test(ref);
  return isOther ? `${shown} (${ref.slice(0, COMMIT_CHARS)})` : shown;
}

const MAX_CHAIN = 4;

/** "direct, dev", "through express › body-parser". */
export function describeRelation({ isDirect, group, chain }: PackageChange): string {
  const named = group === "runtime" ? "" : `, ${group}`;
  if (isDirect === true) return `direct${named}`;
  if (isDirect === null && chain.length === 0) return group === "runtime" ? "" : group;
  const parents = chain.slice(0, -1);
  if (parents.length === 0) return `transitive${named}`;
  const shown =
    parents.length <= MAX_CHAIN ? parents : [...parents.slice(0, MAX_CHAIN - 1), "…", ...parents.slice(-1)];
  return `through ${shown.join(" › ")}${named}`;
}

const REASONS: Readonly<Record<ConfidenceReason, string>> = {
  "breaking-version": "a breaking version",
  "breaks-elsewhere": "a breaking version that takes away nothing that is used here",
  "unproven-version": "a minor below 1.0 without release notes",
  "affected-call-sites": "call sites are affected",
  "grave-advisory": "a critical, high or exploited advisory applies to the new version",
  advisory: "an advisory applies to the new version",
  "breaking-notes": "the release notes name breaking changes",
  tampering: "a lockfile looks tampered with",
  "supply-chain": "supply-chain signals",
  "unknown-version": "versions that can't be compared",
  downgrade: "a downgrade",
  "reverted-before": "an earlier bump of the same package was reverted",
  disagreement: "a manifest and its lockfile disagree",
  "files-unread": "a file couldn't be read",
  "advisories-unknown": "advisories unavailable",
  "release-unknown": "release facts unavailable",
  "fixes-advisory": "it fixes an advisory",
};

/** "low: a breaking version, call sites are affected". */
export function describeConfidence({ level, reasons }: Confidence): string {
  return reasons.length === 0 ? level : `${level}: ${reasons.map((reason) => REASONS[reason]).join(", ")}`;
}

export const LOOKUP_FAILURES: Readonly<Record<LookupFailure, string>> = {
  offline: "offline",
  private: "private packages aren't looked up",
  refused: "the host isn't allowed",
  time: "no answer in time",
  "too-large": "the answer is too large",
  "rate-limited": "rate limit reached",
  network: "no connection",
  malformed: "the answer isn't understood",
  unsupported: "not supported for this ecosystem",
  "not-copied": "the copy has none of this ecosystem",
  limit: "limit of packages per review reached",
};

const SIGNALS: Readonly<Record<SignalKind, string>> = {
  "integrity-changed": "the same version has other bytes",
  "integrity-removed": "its checksum was removed",
  "integrity-weakened": "its checksum uses a weaker algorithm",
  "registry-changed": "the same version comes from another registry",
  "origin-changed": "it comes from elsewhere, and no manifest asks for that",
  redirected: "a manifest replaces it by another package or source",
  "insecure-url": "its download isn't encrypted",
  "other-package": "its download address names another package or version",
  "unknown-host": "it comes from a host that wasn't used before",
  "deceptive-host": "its host imitates a registry or is a bare address",
  unneeded: "nothing requests it",
  "new-need": "it's needed by a version that didn't need it before",
  unpinned: "it was pinned to a commit or digest, and isn't anymore",
  "moved-reference": "its commit changed, but not the version in its comment",
  "install-script": "installing it runs scripts now",
  "close-name": "its name is close to a popular package",
  "deceptive-name": "its name has characters that look like others or can't be seen",
  "young-release": "it was published only days ago",
  "publisher-changed": "someone else published it",
  withdrawn: "its registry withdrew it",
  unpublished: "its registry doesn't list this version",
  deprecated: "its publishers deprecated it",
  "licence-changed": "it has another licence",
  "provenance-lost": "the old version was published with provenance, this one without",
};

/** "the same version comes from another registry: a.example instead of b.example". */
export function describeSignal({ kind, from, to }: Signal): string {
  const what = SIGNALS[kind];
  if (from !== null && to !== null) return `${what}: ${to} instead of ${from}`;
  return from === null && to === null ? what : `${what}: ${to ?? from}`;
}

const FATES: Readonly<Record<AdvisoryFact["fate"], string>> = {
  introduced: "introduces",
  "still-affecting": "still affected by",
  fixed: "fixes",
};

/** "fixes GHSA-… (high): Command injection". */
export function describeAdvisory({ fate, advisory }: AdvisoryFact): string {
  const { id, severity, summary, fixedIn, exploitation } = advisory;
  const fix = fate === "fixed" || fixedIn.length === 0 ? "" : ` (fixed in ${fixedIn.slice(0, 3).join(", ")})`;
  return `${FATES[fate]} ${id} (${severity} severity${describeExploitation(exploitation)})${summary === "" ? "" : `: ${summary}`}${fix}`;
}

/** ", known to be exploited since 2021-12-10, EPSS 97 %". */
function describeExploitation(exploitation: AdvisoryFact["advisory"]["exploitation"]): string {
  const { knownSince = null, probability = null } = exploitation ?? {};
  const since = knownSince === null ? "" : `, known to be exploited since ${knownSince}`;
  return `${since}${probability === null ? "" : `, EPSS ${percent(probability)}`}`;
}

const percent = (part: number): string => (part < 0.01 ? "below 1 %" : `${Math.round(part * 100)} %`);

const MAX_SITES = 5;

const placeOf = ({ path, line }: UsePlace): string => `${path}:${line}`;

/** "3 of 14 call sites use what 5.0.0 removes or changes: foo at src/a.ts:5, src/b.ts:9". */
export function describeUses({ uses, change, api, changelog }: ReportedPackage): string | null {
  if (uses === null || change.to === null) return null;
  const { places, useCount, importingFiles, omittedPlaces, openFiles, names } = uses;
  const open = openFiles === 0 ? "" : ` (${count(openFiles, "file")} may hide more)`;
  const used = `used at ${count(useCount, "call site")} in ${count(importingFiles.runtime, "file")}`;
  switch (uses.verdict) {
    case "used": {
      const shown = names.slice(0, MAX_SITES).map(({ name }) => {
        const own = places.filter((place) => place.name === name);
        const rest = own.length - MAX_SITES;
        const listed = own.slice(0, MAX_SITES).map(placeOf).join(", ");
        return `${name} at ${listed}${rest > 0 ? ` and ${count(rest, "more place")}` : ""}`;
      });
      const more = names.length > MAX_SITES ? `; and ${count(names.length - MAX_SITES, "more name")}` : "";
      const affected = places.length + omittedPlaces;
      const of = useCount > affected ? ` of ${useCount}` : "";
      const noun = affected === 1 && of === "" ? "call site uses" : "call sites use";
      return `${affected}${of} ${noun} what ${change.to.version} removes or changes: ${shown.join("; ")}${more}${open}`;
    }
    case "not-imported":
      return `not found by this search: no file imports it${open}`;
    case "only-tests-and-types":
      return `not imported by runtime code (${count(importingFiles.tests, "test file")} and ${count(importingFiles.typesOnly, "file")} with types only)${open}`;
    case "not-found":
      return api.kind === "found" || changelog.kind === "found"
        ? `${used}; affected ones weren't found by this search${open}`
        : `${used}${open}`;
  }
}

/** "changelog unavailable (offline)"; null when the other side answered. */
function describeGap(what: string, lookup: Lookup<unknown>): string | null {
  return lookup.kind === "failed" ? `${what} unavailable (${LOOKUP_FAILURES[lookup.reason]})` : null;
}

/** Only direct dependencies have call sites here, and of actions only majors are compared. */
function describeApiGap(
  { ecosystem, isDirect, isBreaking }: PackageChange,
  api: Lookup<unknown>,
): string | null {
  if (isDirect !== true) return null;
  if (ecosystem !== "github-actions") return describeGap("exported declarations", api);
  if (!isBreaking) return null;
  return api.kind === "absent"
    ? "inputs and outputs unknown (no action.yml)"
    : describeGap("inputs and outputs", api);
}

/** Look-ups that failed, once each with the number of packages. */
export function listGaps(packages: readonly ReportedPackage[]): readonly string[] {
  const gaps = new Map<string, number>();
  for (const { change, advisories, changelog, api, release } of packages) {
    const failed = [
      describeGap("advisories", advisories),
      describeGap("changelog", changelog),
      describeApiGap(change, api),
      describeGap("release facts", release),
    ];
    for (const gap of failed) if (gap !== null) gaps.set(gap, (gaps.get(gap) ?? 0) + 1);
  }
  return [...gaps].map(([gap, number]) => `${gap} for ${count(number, "package")}`);
}

/** "also 25 packages for single platforms, such as @esbuild/linux-x64"; none without them. */
function describePlatforms([example, ...others]: FoldedPackage["platforms"]): readonly string[] {
  if (example === undefined) return [];
  return [`also ${count(others.length + 1, "package")} for single platforms, such as ${example.change.name}`];
}

const MAX_BREAKING_NOTES = 3;

/** Everything worth knowing about one package, the worst first. */
export function listFacts({ reported: item, platforms }: FoldedPackage): readonly string[] {
  const { signals, advisories, changelog, history } = item;
  const facts = advisories.kind === "found" ? advisories.value : [];
  const uses = describeUses(item);
  const breaking = changelog.kind === "found" ? changelog.value.breaking : [];
  const rest = breaking.length - MAX_BREAKING_NOTES;
  return [
    ...signals.map(describeSignal),
    ...facts.filter(({ fate }) => fate !== "fixed").map(describeAdvisory),
    ...(uses === null ? [] : [uses]),
    ...describeConcerns(item),
    ...describeApi(item),
    ...breaking.slice(0, MAX_BREAKING_NOTES).map((note) => `${breakingOf(item)}: ${note}`),
    ...(rest > 0 ? [count(rest, "more breaking note")] : []),
    ...facts.filter(({ fate }) => fate === "fixed").map(describeAdvisory),
    ...history.map(
      ({ from, to, revertedAt, mergedAt }) =>
        `${from} → ${to} was merged on ${mergedAt.slice(0, 10)}${revertedAt === null ? "" : `, and reverted on ${revertedAt.slice(0, 10)}`}`,
    ),
    ...describeRelease(item),
    ...describePlatforms(platforms),
  ];
}

/** Anyone can have written the description. */
const breakingOf = ({ changelog }: ReportedPackage): string =>
  changelog.kind === "found" && changelog.value.origin === "description"
    ? "breaking, by the pull request's description"
    : "breaking";

/** "published on 2026-01-31, source github.com/owner/name, changes …": where a person reads on. */
function describeRelease({ change, release, compareUrl }: ReportedPackage): readonly string[] {
  if (release.kind !== "found" || change.isDirect === false) return [];
  const { publishedAt, repository, folder } = release.value;
  const parts = [
    ...(publishedAt === null ? [] : [`published on ${publishedAt.slice(0, 10)}`]),
    ...(repository === null
      ? []
      : [`source https://github.com/${repository}${folder === null ? "" : `/tree/HEAD/${folder}`}`]),
    ...(compareUrl === null ? [] : [`changes ${compareUrl}`]),
  ];
  return parts.length === 0 ? [] : [parts.join(", ")];
}

const PROBLEMS: Readonly<Record<Exclude<ReadingProblem["problem"], "failed">, string>> = {
  "too-large": "too large",
  "conflict-markers": "it has unresolved merge conflicts",
  malformed: "it isn't well-formed",
  "unknown-format-version": "its format version is unknown",
  unreadable: "it can't be read",
  time: "it takes too long",
  memory: "it takes too much memory",
};

/** "pyproject.toml at the head wasn't compared: it takes too long". */
export function describeUnread(file: UnreadFile): string {
  const at = file.side === "both" ? "" : ` at the ${file.side}`;
  const why = file.problem === "failed" ? file.message : PROBLEMS[file.problem];
  const what = file.isPartial === true ? "wasn't compared with other files" : "wasn't compared";
  return `${file.path}${at} ${what}: ${why}`;
}

export function describeDisagreement({ manifest, lockfile, name, requested, locked }: Disagreement): string {
  if (locked === null) return `${manifest} requests ${name} ${requested ?? ""}, which isn't in ${lockfile}`;
  if (requested === null) return `${lockfile} has ${name} ${locked}, which ${manifest} doesn't request`;
  return `${manifest} requests ${name} ${requested}, but ${lockfile} has ${locked}`;
}

const BOTS = { dependabot: "Dependabot", renovate: "Renovate" } as const;

/** "Dependencies", "Dependencies, updated by Renovate". */
export function describeHeading({ bot }: Pick<DependencyReport, "bot">): string {
  return bot === null ? "Dependencies" : `Dependencies, updated by ${BOTS[bot]}`;
}

/** "Advisories from OSV", "Advisories from a copy of 2026-10-01". */
export function describeAdvisorySource({
  advisorySource,
  packages,
}: Pick<DependencyReport, "advisorySource" | "packages">): string | null {
  const isAnswered = packages.some(({ advisories }) => advisories.kind === "found");
  if (advisorySource === null || !isAnswered) return null;
  if (advisorySource.name !== "offline") {
    return `advisories from ${advisorySource.name === "osv" ? "OSV" : "GitHub"}`;
  }
  const { newest } = advisorySource;
  return `advisories from an offline copy${newest === null ? "" : ` of ${newest.slice(0, 10)}`}`;
}
