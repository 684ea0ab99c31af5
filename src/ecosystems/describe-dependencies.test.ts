import assert from "node:assert/strict";
import { test } from "node:test";
import { exampleReport } from "../../test/support/example-report.ts";
import { type FileUses, type UsePlace } from "../languages/uses/package-uses.ts";
import { summarizeUses } from "./api/uses/summarize-uses.ts";
import type { ReportedPackage } from "./dependency-report.ts";
import {
  describeHeading,
  describeRelation,
  describeUses,
  describeVersion,
  listGaps,
} from "./describe-dependencies.ts";

const PLACE: UsePlace = {
  path: "src/a.js",
  line: 5,
  column: 1,
  text: "pad(1)",
  name: "pad",
  symbol: "pad",
  role: "use",
  isTypeOnly: false,
  isTest: false,
};

const FILE: FileUses = {
  path: "src/a.js",
  isTest: false,
  imports: [{ specifier: "left-pad", line: 1, isTypeOnly: false }],
  useCount: 3,
  places: [],
  isOpen: false,
  problem: null,
};

const packageOf = (facts: Parameters<typeof exampleReport>[0]): ReportedPackage => {
  const [found] = exampleReport(facts).packages;
  assert.ok(found !== undefined);
  return found;
};

const USES: readonly (readonly [string, readonly FileUses[], string])[] = [
  [
    "affected call sites",
    [{ ...FILE, places: [PLACE] }],
    "1 of 3 call sites use what 2.0.0 removes or changes: pad at src/a.js:5",
  ],
  ["an import that isn't affected", [FILE], "used at 3 call sites in 1 file"],
  ["no import", [], "not found by this search: no file imports it"],
  [
    "tests only",
    [{ ...FILE, isTest: true }],
    "not imported by runtime code (1 test file and 0 files with types only)",
  ],
  [
    "a file that may hide more",
    [{ ...FILE, isOpen: true }],
    "used at 3 call sites in 1 file (1 file may hide more)",
  ],
];

for (const [name, files, expected] of USES) {
  test(`uses: ${name}`, () => {
    assert.equal(describeUses(packageOf({ uses: summarizeUses(files) })), expected);
  });
}

test("an empty search after a comparison is never called safe", () => {
  const api = {
    changes: [],
    facts: [],
    addedCount: 0,
    comparedCount: 1,
    omittedCount: 0,
    basis: "code",
    gaps: [],
  } as const;
  const text = describeUses(packageOf({ uses: summarizeUses([FILE]), api: { kind: "found", value: api } }));
  assert.equal(text, "used at 3 call sites in 1 file; affected ones weren't found by this search");
});

test("the heading names the bot", () => {
  assert.deepEqual(
    ([null, "dependabot", "renovate"] as const).map((bot) => describeHeading({ bot })),
    ["Dependencies", "Dependencies, updated by Dependabot", "Dependencies, updated by Renovate"],
  );
});

test("look-ups that failed are counted by what is missing and why", () => {
  const offline = { kind: "failed", reason: "offline" } as const;
  const direct = packageOf({ advisories: offline, api: offline });
  const transitive = packageOf({ advisories: offline, api: offline, change: { isDirect: false } });
  assert.deepEqual(listGaps([direct, transitive]), [
    "advisories unavailable (offline) for 2 packages",
    "exported declarations unavailable (offline) for 1 package",
  ]);
});

test("a transitive package is shown with the way to it, and a commit with its version", () => {
  const { change } = packageOf({
    change: { isDirect: false, chain: ["express", "body-parser", "qs"], group: "dev" },
  });
  assert.equal(describeRelation(change), "through express › body-parser, dev");
  const commit = "0123456789abcdef0123456789abcdef01234567";
  const pinned = {
    version: "v4.1.0",
    requirement: null,
    origin: { kind: "git", url: "https://github.com/actions/checkout", ref: commit },
    integrity: null,
    hasInstallScript: null,
  } as const;
  assert.equal(describeVersion(pinned, change), "v4.1.0 (0123456789ab)");
});
