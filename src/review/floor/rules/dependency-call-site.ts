/**
 * Reports code that uses a part of a dependency which the new version removes or changes: on its line where the change has it,
 * otherwise once where the version is requested.
 */
import { count } from "../../../base/count.ts";
import type { UsePlace } from "../../bumps/api/uses/package-uses.ts";
import { summarizeUses } from "../../bumps/api/uses/summarize-uses.ts";
import { affectedPlaces, type ReportedPackage } from "../../bumps/dependency-report.ts";
import { describeUses } from "../../bumps/describe-dependencies.ts";
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

export const dependencyCallSite: ChangeRule = {
  kind: "change",
  id: "dependency-call-site",
  title: "Code uses what the new version of a dependency removes",
  severity: "major",
  category: "dependencies",
  why: "With the new version this code fails when it is built, or when it runs.",
  fix: "Change the code to the new version's API in the same change, or keep the old version.",
  confidence: 0.85,
  *check({ dependencies, files }) {
    const added = new Map(
      files.map(({ path, added: lines }) => [path, new Set(lines.map(({ line }) => line))]),
    );
    for (const reported of dependencies?.packages ?? []) {
      const { change } = reported;
      const sites = affectedPlaces(reported);
      if (change.to === null || sites.length === 0) continue;
      const version = nameOr(change.to.version, "its new version");
      const name = nameOr(change.name, "a dependency");
      const here = sites.filter(({ path, line }) => added.get(path)?.has(line) === true);
      for (const { path, line, name: symbol } of here) {
        const used = nameOr(symbol, "an export");
        yield { path, line, title: `${used} is gone or different in ${name} ${version}` };
      }
      const elsewhere = sites.length - here.length;
      const [place] = change.places;
      if (elsewhere === 0 || place === undefined) continue;
      yield {
        path: place.path,
        line: place.line,
        title: `${name} ${version} breaks ${count(elsewhere, "call site")} outside this change`,
        detail: `${describeUses(reported) ?? ""}.`,
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
