import assert from "node:assert/strict";
import { test } from "node:test";
import type { DependencyReport, ReportedPackage } from "../../ecosystems/dependency-report.ts";
import type { LookupFailure } from "../../ecosystems/lookups.ts";
import { exampleReport } from "../../../test/support/example-report.ts";
import { isGapIncomplete, isUnchecked } from "../../review/findings/checks.ts";
import type { AnalyserGap, AnalyserReport } from "../../linters/analyser-report.ts";
import { gapsOfAnalysers, gapsOfDependencies } from "./find-gaps.ts";
import { DEPENDENCY_RULES } from "./inputs-of-rules.ts";

function ruff(...gaps: AnalyserReport["gaps"]): AnalyserReport {
  return { name: "ruff", version: "1", package: "@example/ruff", files: 1, findings: 0, ms: 1, gaps };
}

/** Nothing of it is looked at. */
const IN_REPOSITORY = { repository: {} as never };

const ANALYSER_GAPS: readonly (readonly [
  reason: AnalyserGap["reason"],
  message: string | null,
  text: string,
])[] = [
  ["off", null, "off: turned off by configuration"],
  ["not-installed", null, "not-installed: not installed; to install it, run npm install @example/ruff"],
  ["too-many", null, "limit: over its limit for one review"],
  ["too-large", null, "limit: too large for it"],
  ["unread", null, "limit: too large or not available"],
  ["time", null, "limit: time ran out"],
  ["memory", null, "limit: over the memory limit"],
  ["unparsed", null, "limit: it couldn't parse all of the code"],
  ["too-many-findings", null, "limit: too many findings"],
  ["failed", "it crashed", "failed: it crashed"],
  ["failed", null, "failed: it failed"],
];

for (const [reason, message, text] of ANALYSER_GAPS) {
  test(`a linter's gap, ${reason}${message === null ? "" : ` (${message})`}, is ${text}`, () => {
    const [gap, ...more] = gapsOfAnalysers(
      [ruff({ reason, files: 2, paths: ["a.py", "b.py"], message })],
      IN_REPOSITORY,
    );
    assert.ok(gap !== undefined && more.length === 0);
    assert.equal(`${gap.reason}: ${gap.detail}`, text);
    assert.deepEqual([gap.check, gap.paths], ["ruff", ["a.py", "b.py"]]);
    assert.ok(isUnchecked("ruff/F821", "a.py", [gap]));
    assert.ok(!isUnchecked("ruff/F821", "c.py", [gap]));
  });
}

test("linters without gaps leave none", () =>
  assert.deepEqual(gapsOfAnalysers([ruff(), ruff()], IN_REPOSITORY), []));

test("a linter that has no whole file because only a diff is known is off, not incomplete", () => {
  const report = ruff({ reason: "unread", files: 1, paths: ["a.py"], message: null });
  const [gap] = gapsOfAnalysers([report], { repository: null });
  assert.deepEqual([gap?.reason, gap?.detail], ["off", "only the lines of the diff are known"]);
  assert.ok(gap !== undefined && isUnchecked("ruff/F821", "a.py", [gap]));
});

const TOUCHED = { dependencies: { packages: [], disagreements: [], unread: [], extent: "mixed" } } as const;

type Lookups = Partial<Pick<ReportedPackage, "release" | "advisories" | "api" | "changelog">>;

/** "check reason: detail" for each gap, and the rules whose silence proves nothing then. */
function gapsIn(
  report: DependencyReport | null,
  path = "package.json",
): {
  readonly texts: readonly string[];
  readonly unchecked: readonly string[];
  readonly isComplete: boolean;
} {
  const gaps = gapsOfDependencies(TOUCHED, report);
  return {
    texts: gaps.map(({ check, reason, detail }) => `${check} ${reason}: ${detail}`),
    unchecked: DEPENDENCY_RULES.filter((rule) => isUnchecked(rule, path, gaps)),
    isComplete: !gaps.some(isGapIncomplete),
  };
}

const failed = (reason: LookupFailure) => ({ kind: "failed", reason }) as const;

test("a change that touches no dependency has no gaps, and neither has one whose look-ups all answered", () => {
  assert.deepEqual(gapsOfDependencies({ dependencies: null }, null), []);
  assert.deepEqual(gapsIn(exampleReport({})), { texts: [], unchecked: [], isComplete: true });
});

test("dependencies that the configuration turns off are off for all their rules", () => {
  const texts = ["comparison of dependencies off: turned off by configuration"];
  assert.deepEqual(gapsIn(null), { texts, unchecked: DEPENDENCY_RULES, isComplete: true });
});

test("a manifest that couldn't be read is a gap for its file alone", () => {
  const report = exampleReport(
    {},
    { unread: [{ path: "pyproject.toml", side: "head", problem: "too-large" }] },
  );
  const texts = ["comparison of dependencies failed: too large"];
  assert.deepEqual(gapsIn(report, "pyproject.toml"), {
    texts,
    unchecked: DEPENDENCY_RULES,
    isComplete: false,
  });
  assert.deepEqual(gapsIn(report, "package.json").unchecked, []);
});

const LOOKUPS: readonly (readonly [what: keyof Lookups, check: string, unchecked: readonly string[]])[] = [
  ["advisories", "advisories", ["dependency-advisory"]],
  ["release", "package registries", ["dependency-call-site", "dependency-supply-chain"]],
  ["api", "package registries", ["dependency-call-site", "dependency-supply-chain"]],
];

const FAILURES: readonly (readonly [reason: LookupFailure, text: string])[] = [
  ["offline", "off: look-ups are turned off"],
  ["private", "off: private packages aren't looked up"],
  ["unsupported", "off: not available for this ecosystem"],
  ["limit", "off: only the most important packages are looked up"],
  ["refused", "off: the host isn't allowed"],
  ["time", "failed: no answer in time"],
  ["too-large", "failed: the answer was too large"],
  ["rate-limited", "failed: the rate limit was reached"],
  ["network", "failed: the network failed"],
  ["malformed", "failed: the answer couldn't be read"],
];

for (const [what, check, unchecked] of LOOKUPS) {
  test(`look-ups of ${what} that fail are a gap of their rules, whatever the reason`, () => {
    for (const [reason, text] of FAILURES) {
      const report = exampleReport({ [what]: failed(reason) });
      const isComplete = text.startsWith("off:");
      assert.deepEqual(gapsIn(report), { texts: [`${check} ${text}`], unchecked, isComplete });
    }
  });
}

test("a changelog that couldn't be read is no gap: no rule needs it", () => {
  assert.deepEqual(gapsIn(exampleReport({ changelog: failed("network") })).texts, []);
});

test("one gap for each reason, however many packages have it", () => {
  const one = exampleReport({ advisories: failed("network") });
  const other = exampleReport({ advisories: failed("time") });
  const packages = [...one.packages, ...one.packages, ...other.packages];
  assert.deepEqual(gapsIn({ ...one, packages }).texts, [
    "advisories failed: the network failed",
    "advisories failed: no answer in time",
  ]);
});
