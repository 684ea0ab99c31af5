/** Entries in the OSV format: whether one affects a version, and the part of it that Kodiai shows. */
import type { EcosystemId } from "../../ecosystems/ecosystem.ts";
import type { Advisory, AdvisorySeverity, PackageId } from "../../ecosystems/lookups.ts";
import { ecosystemOf } from "../../ecosystems/all-ecosystems.ts";
import { fieldAt, itemsAt, textAt } from "../json-fields.ts";
import { severityOfVectors } from "./cvss-severity.ts";
import { bareVersion, fullVersion } from "../../ecosystems/versions/version-prefix.ts";

const SEVERITIES: Readonly<Record<string, AdvisorySeverity>> = {
  CRITICAL: "critical",
  HIGH: "high",
  MODERATE: "medium",
  MEDIUM: "medium",
  LOW: "low",
};

const MAX_SUMMARY_CHARS = 300;
const MAX_ALIASES = 20;
const MAX_FIXES = 20;

/** Null when the entry was withdrawn, or isn't one. */
export function toAdvisory(entry: unknown, id: PackageId): Advisory | null {
  const name = textAt(entry, "id");
  if (name === null || textAt(entry, "withdrawn") !== null) return null;
  const aliases = itemsAt(entry, "aliases").filter((alias) => typeof alias === "string");
  const ghsa = [name, ...aliases].find((alias) => alias.startsWith("GHSA-"));
  const summary = textAt(entry, "summary") ?? textAt(entry, "details") ?? "";
  return {
    id: ghsa ?? name,
    aliases: [name, ...aliases].filter((alias) => alias !== (ghsa ?? name)).slice(0, MAX_ALIASES),
    severity: severityOf(entry, name),
    summary: (summary.split("\n", 1)[0] ?? "").slice(0, MAX_SUMMARY_CHARS),
    url:
      ghsa === undefined ? `https://osv.dev/vulnerability/${name}` : `https://github.com/advisories/${ghsa}`,
    fixedIn: fixesOf(entry, id),
  };
}

/** Malware is always grave; others have a severity of the database that reviewed them, or the one of their CVSS vectors. */
function severityOf(entry: unknown, name: string): AdvisorySeverity {
  if (name.startsWith("MAL-")) return "critical";
  const own = textAt(entry, "database_specific", "severity");
  const ofPackages = itemsAt(entry, "affected").map((each) => textAt(each, "ecosystem_specific", "severity"));
  const text = [own, ...ofPackages].find((each) => each !== null);
  const named = SEVERITIES[text?.toUpperCase() ?? ""];
  if (named !== undefined) return named;
  const rated = [entry, ...itemsAt(entry, "affected")].flatMap((each) => itemsAt(each, "severity"));
  return severityOfVectors(rated.flatMap((each) => textAt(each, "score") ?? []));
}

function fixesOf(entry: unknown, id: PackageId): readonly string[] {
  const events = affectedOf(entry, id).flatMap((affected) =>
    itemsAt(affected, "ranges").flatMap((range) =>
      textAt(range, "type") === "GIT" ? [] : itemsAt(range, "events"),
    ),
  );
  return [...new Set(events.flatMap((event) => textAt(event, "fixed") ?? []))].slice(0, MAX_FIXES);
}

function affectedOf(entry: unknown, { ecosystem, name }: PackageId): readonly unknown[] {
  const { advisoryNames, normalizeName = (same: string) => same } = ecosystemOf(ecosystem);
  return itemsAt(entry, "affected").filter((affected) => {
    const [of = ""] = (textAt(affected, "package", "ecosystem") ?? "").split(":");
    const other = textAt(affected, "package", "name");
    return of === advisoryNames?.osv && other !== null && normalizeName(other) === normalizeName(name);
  });
}

/** Null when the version can't be compared with a range of the entry. */
export function isAffected(entry: unknown, id: PackageId, version: string): boolean | null {
  const wanted = bareVersion(id.ecosystem, version);
  let isKnown = true;
  for (const affected of affectedOf(entry, id)) {
    if (itemsAt(affected, "versions").includes(wanted)) return true;
    for (const range of itemsAt(affected, "ranges")) {
      if (textAt(range, "type") === "GIT") continue;
      const isIn = isInRange(itemsAt(range, "events"), id.ecosystem, wanted);
      if (isIn === true) return true;
      if (isIn === null) isKnown = false;
    }
  }
  return isKnown ? false : null;
}

/** Events start and end the affected parts. The format doesn't promise an order, so they are sorted by version. */
function isInRange(events: readonly unknown[], ecosystem: EcosystemId, version: string): boolean | null {
  const { compare } = ecosystemOf(ecosystem).order;
  const bounds = events.flatMap((event) => boundsOf(event, ecosystem));
  const order = bounds.map(({ at }) => (at === FIRST ? 1 : compare(fullVersion(ecosystem, version), at)));
  if (order.includes(null)) return null;
  const sorted = bounds
    .map((bound, index) => ({ ...bound, order: order[index] ?? 0 }))
    .toSorted((one, other) => compareBounds(one, other, compare));
  let isIn = false;
  for (const bound of sorted) {
    if (bound.kind === "introduced" && bound.order >= 0) isIn = true;
    if (bound.kind === "fixed" && bound.order >= 0) isIn = false;
    if (bound.kind === "last_affected" && bound.order > 0) isIn = false;
  }
  return isIn;
}

/** Before every version. */
const FIRST = "0";

const BOUNDS = ["introduced", "fixed", "last_affected"] as const;

type Bound = { readonly kind: (typeof BOUNDS)[number]; readonly at: string };

function boundsOf(event: unknown, ecosystem: EcosystemId): readonly Bound[] {
  return BOUNDS.flatMap((kind) => {
    const at = textAt(event, kind);
    return at === null ? [] : [{ kind, at: at === FIRST ? FIRST : fullVersion(ecosystem, at) }];
  });
}

/** A version that is fixed in one branch and introduced in another at once counts as introduced. */
function compareBounds(
  one: Bound,
  other: Bound,
  compare: (one: string, other: string) => number | null,
): number {
  if (one.at === FIRST || other.at === FIRST) return one.at === other.at ? 0 : one.at === FIRST ? -1 : 1;
  const order = compare(one.at, other.at) ?? 0;
  return order === 0 ? Number(one.kind === "introduced") - Number(other.kind === "introduced") : order;
}

export const modifiedOf = (entry: unknown): string => {
  const modified = fieldAt(entry, "modified");
  return typeof modified === "string" ? modified : "";
};
