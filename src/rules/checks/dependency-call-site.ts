/**
 * Reports code that uses a part of a dependency which the new version removes or changes: on its line where the change has it,
 * otherwise once where the version is requested.
 */
import { count } from "../../base/count.ts";
import type { UsePlace } from "../../languages/uses/package-uses.ts";
import { summarizeUses } from "../../ecosystems/api/uses/summarize-uses.ts";
import { affectedPlaces, type ReportedPackage } from "../../ecosystems/dependency-report.ts";
import { describeUses } from "../../ecosystems/describe-dependencies.ts";
import type { PackagePlace } from "../../ecosystems/package-change.ts";
import { exampleReport } from "../lines/example-report.ts";
import { type ChangeRule, nameOr } from "../rule.ts";

const PACKAGE_JSON = '{\n  "dependencies": {\n    "left-pad": "^2.0.0"\n  }\n}\n';
const MANIFEST = {
  path: "package.json",
  before: PACKAGE_JSON.replace("2.0.0", "1.0.0"),
  after: PACKAGE_JSON,
};

const usesOf = (place: Partial<UsePlace>): NonNullable<ReportedPackage["uses"]> =>
  summarizeUses([
    {
      path: "src/a.js",
      isTest: false,
      imports: [{ specifier: "left-pad", line: 1, isTypeOnly: false }],
      useCount: 2,
      isOpen: false,
      problem: null,
      places: [
        {
          path: "src/a.js",
          line: 2,
          column: 1,
          text: "pad(1);",
          name: "pad",
          symbol: "pad",
          role: "use",
          isTypeOnly: false,
          isTest: false,
          ...place,
        },
      ],
    },
  ]);

const SOURCE = { path: "src/a.js", after: 'import { pad } from "left-pad";\npad(1);\n' };

/** A package with affected call sites in files that the change doesn't touch. */
type Outside = {
  readonly name: string;
  readonly place: PackagePlace;
  readonly sites: number;
  readonly reported: ReportedPackage;
};

/** The others are in the list of dependencies. */
const MAX_EXPLAINED = 5;

export const dependencyCallSite: ChangeRule = {
  kind: "change",
  id: "dependency-call-site",
  title: "Changed API: code uses what the new version of a dependency removes",
  severity: "major",
  category: "dependencies",
  why: "With the new version this code fails when it is built, or when it runs.",
  fix: "Change the code to the new version's API in the same change, or keep the old version.",
  confidence: 0.85,
  *check({ dependencies, files }) {
    const added = new Map(
      files.map(({ path, added: lines }) => [path, new Set(lines.map(({ line }) => line))]),
    );
    const outside: Outside[] = [];
    for (const reported of dependencies?.packages ?? []) {
      const { change } = reported;
      const sites = affectedPlaces(reported);
      if (change.to === null || sites.length === 0) continue;
      const name = `${nameOr(change.name, "a dependency")} ${nameOr(change.to.version, "in its new version")}`;
      const here = sites.filter(({ path, line }) => added.get(path)?.has(line) === true);
      for (const { path, line, name: symbol } of here) {
        yield {
          path,
          line,
          title: `Changed API: ${nameOr(symbol, "an export")} is gone or different in ${name}`,
        };
      }
      const [place] = change.places;
      const elsewhere = sites.length - here.length;
      if (elsewhere > 0 && place !== undefined) outside.push({ name, place, sites: elsewhere, reported });
    }
    // Packages of a lockfile share a place, and a place has one finding.
    for (const group of Map.groupBy(outside, ({ place }) => `${place.path}\n${place.line}`).values()) {
      const [first, ...rest] = group;
      if (first === undefined) continue;
      const sites = group.reduce((sum, each) => sum + each.sites, 0);
      const verb = rest.length === 0 ? "breaks" : `and ${count(rest.length, "more package")} break`;
      yield {
        path: first.place.path,
        line: first.place.line,
        title: `Changed API: ${first.name} ${verb} ${count(sites, "call site")} outside this change`,
        detail: group
          .slice(0, MAX_EXPLAINED)
          .map(({ name, reported }) => `${name}: ${describeUses(reported) ?? ""}.`)
          .join(" "),
      };
    }
  },
  examples: {
    bad: [
      { line: 3, files: [MANIFEST], dependencies: exampleReport({ uses: usesOf({}) }) },
      { line: 2, files: [SOURCE, MANIFEST], dependencies: exampleReport({ uses: usesOf({}) }) },
    ],
    good: [
      { files: [MANIFEST], dependencies: exampleReport({ uses: usesOf({ isTypeOnly: true }) }) },
      { files: [MANIFEST], dependencies: exampleReport({ uses: summarizeUses([]) }) },
      { files: [MANIFEST], dependencies: exampleReport({}) },
    ],
  },
};
