/** Entries in the OSV format: whether one affects a version, and the part of it that Kodiai shows. */
import type { EcosystemId } from "../../ecosystems/ecosystem.ts";
import type { Advisory, AdvisorySeverity, PackageId } from "../../ecosystems/lookups.ts";
import { ecosystemOf } from "../../ecosystems/all-ecosystems.ts";
import { fieldAt, itemsAt, textAt } from "../json-fields.ts";
import { bareVersion, fullVersion } from "../version-prefix.ts";

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

/** Malware is always grave; others have a severity of the database that reviewed them. */
function severityOf(entry: unknown, name: string): AdvisorySeverity {
  if (name.startsWith("MAL-")) return "critical";
  const own = textAt(entry, "database_specific", "severity");
  const ofPackages = itemsAt(entry, "affected").map((each) => textAt(each, "ecosystem_specific", "severity"));
  const text = [own, ...ofPackages].find((each) => each !== null);
  return SEVERITIES[text?.toUpperCase() ?? ""] ?? "unknown";
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

/** Events in the order of their versions: each one starts or ends the affected part. */
function isInRange(events: readonly unknown[], ecosystem: EcosystemId, version: string): boolean | null {
  const { compare } = ecosystemOf(ecosystem).order;
  const compared = (text: string): number | null =>
    text === "0" ? 1 : compare(fullVersion(ecosystem, version), fullVersion(ecosystem, text));
  let isIn = false;
  for (const event of events) {
    const [introduced, fixed, last] = [
      textAt(event, "introduced"),
      textAt(event, "fixed"),
      textAt(event, "last_affected"),
    ];
    const bound = introduced ?? fixed ?? last;
    if (bound === null) continue;
    const order = compared(bound);
    if (order === null) return null;
    if (introduced !== null && order >= 0) isIn = true;
    if (fixed !== null && order >= 0) isIn = false;
    if (last !== null && order > 0) isIn = false;
  }
  return isIn;
}

export const modifiedOf = (entry: unknown): string => {
  const modified = fieldAt(entry, "modified");
  return typeof modified === "string" ? modified : "";
};
