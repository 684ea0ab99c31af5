/** Reports changed dependencies whose new version has a known vulnerability: one finding per line, and one per lockfile. */
import { count } from "../../base/count.ts";
import type { Severity } from "../../base/severity.ts";
import { describeAdvisory } from "../../ecosystems/describe-dependencies.ts";
import type { AdvisoryFact, ReportedPackage } from "../../ecosystems/dependency-report.ts";
import type { AdvisorySeverity } from "../../ecosystems/lookups.ts";
import { packageOr } from "../lines/package-name.ts";
import { type ChangeRule, nameOr } from "../rule.ts";

const ORDER: readonly AdvisorySeverity[] = ["critical", "high", "medium", "unknown", "low"];

const INTRODUCED: Readonly<Record<AdvisorySeverity, Severity>> = {
  critical: "critical",
  high: "must-fix",
  medium: "major",
  unknown: "medium",
  low: "minor",
};

/** It was there before, and the change is a chance to get rid of it. */
const STILL_THERE: Readonly<Record<AdvisorySeverity, Severity>> = {
  critical: "major",
  high: "major",
  medium: "medium",
  unknown: "medium",
  low: "minor",
};

/** The others are in the list of dependencies. */
const MAX_PLACES = 10;
const MAX_EXPLAINED = 5;

export const dependencyAdvisory: ChangeRule = {
  kind: "change",
  id: "dependency-advisory",
  title: "Known vulnerability in a dependency",
  severity: "major",
  proof: "advisory",
  category: "security",
  why: "The advisory describes an attack on this version of the package, and anyone can read it.",
  fix: "Choose a version that isn't affected, or check that the vulnerable part isn't used.",
  *check({ dependencies }) {
    const found = (dependencies?.packages ?? []).flatMap(({ change, advisories }) => {
      const against =
        advisories.kind === "found" ? advisories.value.filter(({ fate }) => fate !== "fixed") : [];
      const [gravest, ...others] = against.toSorted((one, other) => rankOf(one) - rankOf(other));
      const [place] = change.places;
      if (gravest === undefined || place === undefined || change.to === null) return [];
      return [{ change, version: change.to.version, gravest, others, place }];
    });
    const gravestFirst = found.toSorted((one, other) => rankOf(one.gravest) - rankOf(other.gravest));
    // Packages of a lockfile share a place, and a place has one finding.
    const places = Map.groupBy(gravestFirst, ({ place }) => `${place.path}\n${place.line}`);
    for (const [first, ...rest] of [...places.values()].slice(0, MAX_PLACES)) {
      if (first === undefined) continue;
      const { fate, advisory } = first.gravest;
      const name = `${packageOr(first.change.name, "a dependency")} ${nameOr(first.version, "in its new version")}`;
      const others = rest.length === 0 ? "" : ` and ${count(rest.length, "more package")}`;
      const explained = [first, ...rest].slice(0, MAX_EXPLAINED).map(explain);
      yield {
        path: first.place.path,
        line: first.place.line,
        title: `Known ${rest.length === 0 ? "vulnerability" : "vulnerabilities"} in ${name}${others}`,
        detail: explained.join(" "),
        severity: (fate === "introduced" ? INTRODUCED : STILL_THERE)[gravityOf(advisory)],
      };
    }
  },
};

type Vulnerable = {
  readonly change: ReportedPackage["change"];
  readonly gravest: AdvisoryFact;
  readonly others: readonly AdvisoryFact[];
};

/** "The change introduces GHSA-… into `left-pad`." */
function explain({ change, gravest, others }: Vulnerable): string {
  const name = packageOr(change.name, "the package");
  const more = others.length;
  const also = more === 0 ? "" : ` ${count(more, "more advisory", "more advisories")} also apply to it.`;
  return `${name}: the change ${gravest.fate === "introduced" ? "" : "leaves it "}${describeAdvisory(gravest)}.${also}`;
}

/** A known exploited vulnerability is critical, whatever its severity. */
const gravityOf = ({ severity, exploitation }: AdvisoryFact["advisory"]): AdvisorySeverity =>
  (exploitation?.knownSince ?? null) === null ? severity : "critical";

const rankOf = ({ fate, advisory }: AdvisoryFact): number =>
  ORDER.indexOf(gravityOf(advisory)) * 2 + (fate === "introduced" ? 0 : 1);
