/** Looks one package up: its release, its release notes, its changed exports, and where the repository uses them. */
import type { ApiDifference } from "../../../languages/api/api-difference.ts";
import type { UseSummary } from "../../../ecosystems/api/uses/summarize-uses.ts";
import type { ChangelogExcerpt, ReportedPackage } from "../../../ecosystems/dependency-report.ts";
import type { PackageSource } from "../../../languages/api/package-source.ts";
import type { Changelog, Lookup, LookupFailure, PackageId, Release } from "../../../ecosystems/lookups.ts";
import type { PackageChange, PackageVersion } from "../../../ecosystems/package-change.ts";
import { USE_RULES } from "../../reading/inputs-of-rules.ts";
import { headOf } from "../gather-listing.ts";
import { findPackageUses } from "./find-package-uses.ts";
import { type LookupRun, unanswered, withinTime } from "./lookup-run.ts";

/** The most important packages; the others have no release notes and no comparison. */
const MAX_CHANGELOGS = 5;
const MAX_APIS = 5;
/** A description is much smaller than a changelog. */
const MAX_SPLIT_MS = 1_000;
/** Archives are larger than answers. */
const MAX_COMPARE_MS = 20_000;

export type PackageFacts = Pick<
  ReportedPackage,
  "release" | "changelog" | "compareUrl" | "api" | "uses" | "concerns" | "signals"
>;

export function notLookedUp(reason: LookupFailure): PackageFacts {
  return {
    release: unanswered(reason),
    changelog: unanswered(reason),
    compareUrl: null,
    api: unanswered(reason),
    uses: null,
    concerns: null,
    signals: [],
  };
}

/** `index`: its place in the order of importance. */
export async function lookUpPackage(
  change: PackageChange,
  index: number,
  run: LookupRun,
): Promise<PackageFacts> {
  const { bumps, settings, deps, registries } = run;
  const isPrivate = run.isPrivate(change);
  const reason = registries === null ? "offline" : isPrivate ? "private" : "unsupported";
  const nothing = notLookedUp(reason);
  if (registries === null || isPrivate || change.to === null) {
    const changelog = await excerptOf(change, unanswered(reason), run);
    const uses = await findUses(change, { api: unanswered(reason), changelog, importNames: null }, run);
    return { ...nothing, changelog, uses };
  }
  const id: PackageId = { ecosystem: change.ecosystem, name: change.name };
  const { from, to } = change;
  const isStep = from !== null && from.version !== to.version;
  const release = (version: string): Promise<Lookup<Release>> =>
    withinTime(run, (signal) => registries.readRelease(id, version, signal));
  const [after, before, changelog, compared] = await Promise.all([
    release(to.version),
    from === null ? null : release(from.version),
    isStep && settings.changelogs && index < MAX_CHANGELOGS
      ? withinTime(run, (signal) =>
          registries.readChangelog(id, { from: from.version, to: to.version }, signal),
        )
      : unanswered(isStep && settings.changelogs ? "limit" : "unsupported"),
    isStep && settings.callSites && index < MAX_APIS && change.isDirect !== false
      ? compareArchives(change, { from, to }, run)
      : { api: unanswered(isStep ? "limit" : "unsupported"), importNames: null },
  ]);
  const excerpt = await excerptOf(change, changelog, run);
  const uses = await findUses(change, { ...compared, changelog: excerpt }, run);
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
    uses,
    concerns: await run.degradations.optional("concerns", () =>
      bumps.findConcerns(change, { api: compared.api, uses, changelog, excerpt }, run),
    ),
    signals,
  };
}

/** The notes that were looked up, else those that the bot wrote into the description. */
async function excerptOf(
  change: PackageChange,
  changelog: Lookup<Changelog>,
  run: LookupRun,
): Promise<Lookup<ChangelogExcerpt>> {
  const hasNotes = changelog.kind === "found" && changelog.value.notes.length > 0;
  const known = (hasNotes ? null : await readDescription(change, run)) ?? changelog;
  return known.kind === "found" ? { kind: "found", value: run.bumps.excerptChangelog(known.value) } : known;
}

/** Null when the description has no notes about these versions. */
async function readDescription(
  { ecosystem, name, from, to }: PackageChange,
  { change, settings, bumps, deps }: LookupRun,
): Promise<Lookup<Changelog> | null> {
  if (!settings.changelogs || from === null || to === null) return null;
  const text = bumps.describedNotes(change.body, name);
  if (text === "") return null;
  const split = await deps.reader.ask("split-changelog", { text }, MAX_SPLIT_MS);
  const sections = split.kind === "read" ? split.value : [];
  const notes = bumps.notesBetween(
    sections.map((each) => ({ ...each, version: bumps.fullVersion(ecosystem, each.version), url: null })),
    ecosystem,
    { from: from.version, to: to.version },
  );
  return notes.length === 0
    ? null
    : { kind: "found", value: { origin: "description", notes, compareUrl: null } };
}

/** `importNames`: null when the archives aren't known, so that they follow from the name. */
type Compared = { readonly api: Lookup<ApiDifference>; readonly importNames: readonly string[] | null };

async function compareArchives(
  { ecosystem, name, isBreaking }: PackageChange,
  sides: { readonly from: PackageVersion; readonly to: PackageVersion },
  run: LookupRun,
): Promise<Compared> {
  const { deps, bumps, registries } = run;
  const id: PackageId = { ecosystem, name };
  const isAction = bumps.ecosystemOf(ecosystem).isByReference === true;
  // GitHub allows few requests without a token, and a minor of an action keeps what it takes.
  const wants = isAction && !isBreaking ? null : bumps.apiFilesOf(ecosystem);
  const { reader } = deps;
  if (wants === null || registries === null) return { api: unanswered("unsupported"), importNames: null };
  // A comment can name another version than the commit that runs.
  const versionOf = ({ version, origin }: PackageVersion): string =>
    isAction && origin.kind === "git" ? (origin.ref ?? version) : version;
  const read = (version: string): Promise<Lookup<PackageSource>> =>
    withinTime(run, (signal) => registries.readSource(id, version, { wants, signal }));
  const [before, after] = await Promise.all([sides.from, sides.to].map((side) => read(versionOf(side))));
  const incomplete = [before, after].find((each) => each?.kind === "failed");
  if (before?.kind !== "found" || after?.kind !== "found")
    return { api: incomplete?.kind === "failed" ? incomplete : { kind: "absent" }, importNames: null };
  const sources = { id, before: before.value, after: after.value };
  const reading = await reader.ask("compare-api", sources, MAX_COMPARE_MS);
  if (reading.kind !== "read")
    return { api: unanswered(reading.kind === "over-limit" ? "too-large" : "malformed"), importNames: null };
  const { difference, importNames } = reading.value;
  return {
    api: difference === null ? unanswered("unsupported") : { kind: "found", value: difference },
    importNames,
  };
}

/** Only direct dependencies have call sites here. */
async function findUses(
  { ecosystem, name, isDirect, to, kind }: PackageChange,
  { api, changelog, importNames: known }: Compared & Pick<ReportedPackage, "changelog">,
  { change, settings, bumps, deps, degradations }: LookupRun,
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
    ...bumps.wantedNamesOf(ecosystem, difference, plainNames),
  };
  const terms = bumps.searchTermsOf(ecosystem, importNames);
  const inWorkflows = bumps.ecosystemOf(ecosystem).isByReference === true;
  const search = { repository, revision: headOf(change), reader, inWorkflows, signal };
  const need = { check: "search for call sites", paths: null, rules: USE_RULES };
  return degradations.checked(need, () => findPackageUses(wanted, terms, search));
}
