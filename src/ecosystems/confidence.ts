/** Merge confidence: how far the facts speak for merging a bump. It starts high, and facts only lower it. */
import {
  type AdvisoryFact,
  affectedPlaces,
  type Confidence,
  type ConfidenceLevel,
  type ConfidenceReason,
  type DependencyReport,
  type ReportedPackage,
} from "./dependency-report.ts";
import type { ApiFact } from "../languages/api/api-difference.ts";
import { breaksCallers } from "./api/uses/wanted-names.ts";
import { ecosystemOf } from "./all-ecosystems.ts";
import type { LookupFailure } from "./lookups.ts";
import type { PackageChange } from "./package-change.ts";
import { areWorrying, isTampering } from "./supply-chain/signal.ts";

const LEVELS: readonly ConfidenceLevel[] = ["low", "medium", "high"];

type Facts = Omit<ReportedPackage, "confidence">;

const isAgainst = ({ fate }: AdvisoryFact): boolean => fate !== "fixed";
const isGrave = ({ advisory }: AdvisoryFact): boolean =>
  advisory.severity === "critical" ||
  advisory.severity === "high" ||
  (advisory.exploitation?.knownSince ?? null) !== null;

const valueOf = <Value>(lookup: { readonly kind: string; readonly value?: Value }): Value | undefined =>
  lookup.kind === "found" ? lookup.value : undefined;

/** Each reason with the highest level that it leaves. */
const CEILINGS: readonly (readonly [ConfidenceReason, ConfidenceLevel, (facts: Facts) => boolean])[] = [
  ["breaking-version", "medium", isBreakingStep],
  ["breaks-elsewhere", "high", ({ concerns }) => concerns?.length === 0],
  ["unproven-version", "medium", isUnprovenStep],
  ["affected-call-sites", "low", (facts) => affectedPlaces(facts).length > 0],
  [
    "grave-advisory",
    "low",
    ({ advisories }) => (valueOf(advisories) ?? []).some((fact) => isAgainst(fact) && isGrave(fact)),
  ],
  [
    "advisory",
    "medium",
    ({ advisories }) => (valueOf(advisories) ?? []).some((fact) => isAgainst(fact) && !isGrave(fact)),
  ],
  [
    "breaking-notes",
    "medium",
    ({ change, changelog, concerns }) =>
      change.isDirect !== false && concerns?.length !== 0 && (valueOf(changelog)?.breaking.length ?? 0) > 0,
  ],
  ["tampering", "low", ({ signals }) => signals.some(isTampering)],
  ["supply-chain", "medium", ({ signals }) => areWorrying(signals)],
  ["unknown-version", "medium", ({ change }) => change.kind === "unknown"],
  ["downgrade", "medium", ({ change }) => change.kind === "downgrade"],
  ["reverted-before", "medium", ({ history }) => history.some(({ revertedAt }) => revertedAt !== null)],
  ["advisories-unknown", "medium", ({ advisories }) => advisories.kind === "failed"],
  [
    "release-unknown",
    "medium",
    // A removed package has no release, and some ecosystems have no registry to ask.
    ({ change, release }) =>
      change.to !== null && release.kind === "failed" && !isExpectedGap(change, release.reason),
  ],
  [
    "fixes-advisory",
    "high",
    ({ advisories }) => (valueOf(advisories) ?? []).some(({ fate }) => fate === "fixed"),
  ],
];

/** Such a version promises nothing, also for the step to 1.0. */
const BELOW_1 = /^v?0\./;

/**
 * Only for what the project asks for itself: what a transitive package breaks, its users have handled. From below 1.0, a comparison
 * of all exports that finds nothing removed or narrowed knows more than the number.
 */
function isBreakingStep({ change, api, concerns }: Facts): boolean {
  if (!change.isBreaking || change.isDirect === false || concerns?.length === 0) return false;
  if (!BELOW_1.test(change.from?.version ?? "") || api.kind !== "found") return true;
  const { changes, facts, gaps } = api.value;
  return (
    gaps.length > 0 ||
    facts.some(isBreakingFact) ||
    changes.some((each) => breaksCallers(change.ecosystem, each))
  );
}

/** A file that only happened to be importable breaks nothing unless it's imported, and then a call site is affected. */
const isBreakingFact = (fact: ApiFact): boolean =>
  fact.kind !== "ability-gained" && !(fact.kind === "entry-removed" && fact.isFile);

/**
 * Where the tools take a minor below 1.0 for nothing special and Kodiai compares no exports, only release notes say whether something
 * breaks. Without them, nothing speaks for the bump.
 */
function isUnprovenStep({ change, api, changelog }: Facts): boolean {
  const isMinor = change.kind === "minor" && BELOW_1.test(change.from?.version ?? "");
  if (!isMinor || change.isBreaking || change.isDirect === false) return false;
  const isCompared = api.kind !== "failed" || api.reason !== "unsupported";
  return !isCompared && changelog.kind !== "found" && ecosystemOf(change.ecosystem).isByReference !== true;
}

/** Some ecosystems have no registry to ask, and of hundreds of transitive packages only some are looked up. */
const isExpectedGap = ({ isDirect }: PackageChange, reason: LookupFailure): boolean =>
  reason === "unsupported" || (reason === "limit" && isDirect === false);

export function confidenceOf(facts: Facts): Confidence {
  const holding = CEILINGS.filter(([, , holds]) => holds(facts));
  return {
    level: lowest(holding.map(([, ceiling]) => ceiling)),
    reasons: holding.map(([reason]) => reason),
  };
}

/** Of the whole change: the lowest of its packages, and of what is wrong with the files. */
export function overallConfidence(
  packages: readonly Confidence[],
  { disagreements, unread }: Pick<DependencyReport, "disagreements" | "unread">,
): Confidence {
  const ofFiles: readonly ConfidenceReason[] = [
    ...(disagreements.length === 0 ? [] : ["disagreement" as const]),
    // A file that the change doesn't touch was only wanted to compare others with.
    ...(unread.every(({ isCompanion }) => isCompanion === true) ? [] : ["files-unread" as const]),
  ];
  const reasons = new Set(packages.flatMap((each) => each.reasons));
  const ordered = CEILINGS.map(([reason]) => reason).filter((reason) => reasons.has(reason));
  const levels = [...packages.map(({ level }) => level), ...ofFiles.map(() => "medium" as const)];
  return { level: lowest(levels), reasons: [...ordered, ...ofFiles] };
}

function lowest(levels: readonly ConfidenceLevel[]): ConfidenceLevel {
  return LEVELS.find((level) => levels.includes(level)) ?? "high";
}
