/** Reports a changed dependency whose new version has a known vulnerability: one finding per package, with its gravest advisory. */
import { count } from "../../../base/count.ts";
import type { Severity } from "../../../base/severity.ts";
import { describeAdvisory } from "../../bumps/describe-dependencies.ts";
import type { AdvisoryFact, ReportedPackage } from "../../bumps/dependency-report.ts";
import type { AdvisorySeverity } from "../../bumps/lookups.ts";
import { exampleReport } from "../lines/example-report.ts";
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

const PACKAGE_JSON = '{\n  "dependencies": {\n    "left-pad": "^2.0.0"\n  }\n}\n';
const EXAMPLE = [
  { path: "package.json", before: PACKAGE_JSON.replace("2.0.0", "1.0.0"), after: PACKAGE_JSON },
];

const found = (fate: AdvisoryFact["fate"], severity: AdvisorySeverity): ReportedPackage["advisories"] => ({
  kind: "found",
  value: [
    {
      fate,
      advisory: {
        id: "GHSA-aaaa-bbbb-cccc",
        aliases: [],
        severity,
        summary: "Prototype pollution",
        url: null,
        fixedIn: ["2.0.1"],
      },
    },
  ],
});

export const dependencyAdvisory: ChangeRule = {
  kind: "change",
  id: "dependency-advisory",
  title: "Dependency has a known vulnerability",
  severity: "major",
  category: "security",
  why: "The advisory describes an attack on this version of the package, and anyone can read it.",
  fix: "Choose a version that isn't affected, or check that the vulnerable part isn't used.",
  *check({ dependencies }) {
    for (const { change, advisories } of dependencies?.packages ?? []) {
      const [place] = change.places;
      if (advisories.kind !== "found" || change.to === null || place === undefined) continue;
      const against = advisories.value
        .filter(({ fate }) => fate !== "fixed")
        .toSorted((one, other) => rankOf(one) - rankOf(other));
      const [gravest] = against;
      if (gravest === undefined) continue;
      const { fate, advisory } = gravest;
      const more = against.length - 1;
      const also = more === 0 ? "" : ` ${count(more, "more advisory", "more advisories")} also apply to it.`;
      yield {
        path: place.path,
        line: place.line,
        title: `${nameOr(change.name, "A dependency")} ${nameOr(change.to.version, "in its new version")} has a known vulnerability`,
        detail: `It is ${describeAdvisory(gravest)}.${also}`.replace(
          "It is introduces",
          "The change introduces",
        ),
        severity: (fate === "introduced" ? INTRODUCED : STILL_THERE)[advisory.severity],
      };
    }
  },
  examples: {
    bad: [
      {
        line: 3,
        files: EXAMPLE,
        dependencies: exampleReport({ advisories: found("introduced", "critical") }),
      },
      {
        line: 3,
        files: EXAMPLE,
        dependencies: exampleReport({ advisories: found("still-affecting", "low") }),
      },
    ],
    good: [
      { files: EXAMPLE, dependencies: exampleReport({ advisories: found("fixed", "critical") }) },
      {
        files: EXAMPLE,
        dependencies: exampleReport({ advisories: { kind: "failed", reason: "network" } }),
      },
      { files: EXAMPLE },
    ],
  },
};

const rankOf = ({ fate, advisory }: AdvisoryFact): number =>
  ORDER.indexOf(advisory.severity) * 2 + (fate === "introduced" ? 0 : 1);
