/** Looks the advisories of all changed packages up, in one question. */
import type { ReportedPackage } from "../../../ecosystems/dependency-report.ts";
import type { Advisory, AdvisorySource, Lookup, PackageId } from "../../../ecosystems/lookups.ts";
import type { PackageChange } from "../../../ecosystems/package-change.ts";
import { type LookupRun, unanswered } from "./lookup-run.ts";

const MAX_ADVISORY_PACKAGES = 500;

type AdvisoryLookups = {
  readonly source: AdvisorySource | null;
  readonly of: (change: PackageChange) => ReportedPackage["advisories"];
};

export async function lookUpAdvisories(
  changes: readonly PackageChange[],
  run: LookupRun,
): Promise<AdvisoryLookups> {
  const { settings, bumps, registries, degradations, signal } = run;
  if (registries === null || !settings.advisories) return { source: null, of: () => unanswered("offline") };
  const asked = changes.filter((each) => !run.isPrivate(each)).slice(0, MAX_ADVISORY_PACKAGES);
  const wanted = asked.flatMap(({ ecosystem, name, from, to }) =>
    [from, to].flatMap((side) => (side === null ? [] : [{ id: { ecosystem, name }, version: side.version }])),
  );
  const answer = await degradations.optional("advisories", () => registries.readAdvisories(wanted, signal));
  if (answer === null) return { source: null, of: () => unanswered("malformed") };
  const { source, versions } = answer;
  const keyOf = ({ ecosystem, name }: PackageId, version: string): string =>
    `${ecosystem}\u0000${name}\u0000${version}`;
  const byVersion = new Map(versions.map((each) => [keyOf(each.id, each.version), each.advisories]));
  const sideOf = (id: PackageId, side: PackageChange["to"]): Lookup<readonly Advisory[]> | null =>
    side === null ? null : (byVersion.get(keyOf(id, side.version)) ?? unanswered("limit"));
  return {
    source,
    of(change) {
      if (run.isPrivate(change)) return unanswered("private");
      return bumps.matchAdvisories(sideOf(change, change.from), sideOf(change, change.to));
    },
  };
}
