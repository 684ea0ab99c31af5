/**
 * Finds out what a dependency change means: advisories, release notes, changed exports and where this repository uses them. Everything is
 * bounded, and a look-up that failed is reported as such.
 */
import type { DependencyReport, PastBump, ReportedPackage } from "../../../ecosystems/dependency-report.ts";
import type { PackageId } from "../../../ecosystems/lookups.ts";
import type { PackageChange } from "../../../ecosystems/package-change.ts";
import type { Change } from "../../../review/change/change.ts";
import type { PreparedReview } from "../prepared-review.ts";
import { lookUpAdvisories } from "./look-up-advisories.ts";
import { lookUpPackage, notLookedUp, type PackageFacts } from "./look-up-package.ts";
import { loadBumps, type LookupRun } from "./lookup-run.ts";
import { readPrivacy } from "./read-privacy.ts";
import type { ReportDeps } from "./report-deps.ts";

/** Most important packages first; the others are listed without look-ups. */
const MAX_LOOKED_UP = 10;
/** All look-ups together. */
const TOTAL_MS = 15_000;

/** Null when the change touches no dependency, or they aren't wanted. */
export async function reportDependencies(
  prepared: PreparedReview,
  deps: ReportDeps,
): Promise<DependencyReport | null> {
  const { change, config, dependencies, degradations } = prepared;
  const settings = config.tree.root.values.dependencies;
  if (dependencies === null || !settings.enabled) return null;
  const ignored = new Set(settings.ignore);
  const wanted = dependencies.packages.filter(({ name }) => !ignored.has(name));
  const { unread, extent } = dependencies;
  const disagreements = dependencies.disagreements.filter(({ name }) => !ignored.has(name));
  const { confidenceOf, overallConfidence } = await import("../../../ecosystems/confidence.ts");
  const shared = { extent, bot: botOf(change), disagreements, unread };
  if (wanted.length === 0) {
    // Nothing to look up, so the code that does it isn't loaded.
    const confidence = overallConfidence([], dependencies);
    return { ...shared, packages: [], advisorySource: null, confidence };
  }
  const bumps = await loadBumps();
  const changes = bumps.orderPackages(wanted, change.title);
  const isPrivate = await readPrivacy(prepared, deps);
  const signal = AbortSignal.any([deps.signal, AbortSignal.timeout(TOTAL_MS)]);
  const { lookups } = deps;
  const registries =
    lookups === null ? null : await degradations.optional("look-ups", () => lookups.openRegistries());
  const run: LookupRun = { change, settings, bumps, isPrivate, deps, degradations, registries, signal };
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
      ...(facts.get(each) ?? notLookedUp("limit")),
      advisories: advisories.of(each),
      history: past.get(keyOfPackage(each)) ?? [],
    };
    const whole = { ...item, signals: [...each.signals, ...item.signals] };
    return { ...whole, confidence: confidenceOf(whole) };
  });
  return {
    ...shared,
    packages,
    advisorySource: advisories.source,
    confidence: overallConfidence(
      packages.map(({ confidence }) => confidence),
      dependencies,
    ),
  };
}

/** Direct and breaking first: they are where a person decides something. */
function rankOf({ isDirect, isBreaking, group, to }: PackageChange): number {
  return (
    (to === null ? 8 : 0) + (isDirect === true ? 0 : 4) + (isBreaking ? 0 : 2) + (group === "runtime" ? 0 : 1)
  );
}

async function lookUpAll(
  chosen: readonly PackageChange[],
  run: LookupRun,
): Promise<ReadonlyMap<PackageChange, PackageFacts>> {
  const facts = await Promise.all(chosen.map((change, index) => lookUpPackage(change, index, run)));
  return new Map(
    chosen.flatMap((change, index) => {
      const known = facts[index];
      return known === undefined ? [] : [[change, known] as const];
    }),
  );
}

const keyOfPackage = ({ ecosystem, name }: PackageId): string => `${ecosystem}\u0000${name}`;

async function readHistory(
  changes: readonly PackageChange[],
  { deps: { readPastBumps }, degradations }: LookupRun,
): Promise<ReadonlyMap<string, readonly PastBump[]>> {
  if (readPastBumps === null || changes.length === 0) return new Map();
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
function botOf({ body }: Change): DependencyReport["bot"] {
  if (/dependabot-badges|Dependabot will (?:resolve|merge)/.test(body)) return "dependabot";
  return /renovatebot\.com|\bRenovate Bot\b|<!--renovate/.test(body) ? "renovate" : null;
}
