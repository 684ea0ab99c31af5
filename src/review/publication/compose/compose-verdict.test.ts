import assert from "node:assert/strict";
import { test } from "node:test";
import { openFinding, priorFinding, settledOf } from "../../../../test/support/prior-fixtures.ts";
import {
  READ_ALL,
  sampleAnalysis,
  sampleAnchor,
  sampleChange,
  sampleDropped,
  sampleFile,
  sampleFileAnalysis,
  sampleFinding,
  sampleJudged,
  type SampleInput,
  samplePublication,
} from "../../../../test/support/sample-publication.ts";
import type { CheckGap } from "../../findings/check-gap.ts";
import type { Verdict } from "../publication.ts";

const CODE = sampleFile("a.ts", ["+x"]);
const OTHER = sampleFile("b.ts", ["+y"]);
const IMAGE = sampleFile("logo.png", [], { unreadable: "binary" });
const ANALYSIS = sampleAnalysis([sampleFileAnalysis("a.ts"), sampleFileAnalysis("b.ts")]);
const ONE_OPEN = settledOf([openFinding()]);
const TWO_OPEN = settledOf([openFinding(), openFinding({ number: 2 }, "addressed")]);
const FIXED = { prior: priorFinding(), state: "verified", because: "fixed" } as const;
const HIDDEN = {
  prior: priorFinding({ identity: "id-hidden" }),
  state: "ignored",
  because: "a demo",
} as const;
const RUFF: CheckGap = {
  check: "ruff",
  reason: "not-installed",
  detail: "not installed; to install it, run npm install ruff",
  paths: ["a.py", "b.py"],
  rules: ["ruff/"],
};

function coverageWith(...gaps: readonly CheckGap[]) {
  return { ...READ_ALL, gaps };
}
const NEW = sampleJudged(
  sampleFinding({ path: "a.ts", severity: "medium" }),
  sampleAnchor({ path: "a.ts", startLine: 10, endLine: 10, lines: ["x"] }),
);

/** Headlines with findings of an earlier review. */
const EARLIER: readonly [string, Partial<SampleInput>, Verdict["outcome"], string][] = [
  [
    "nothing new",
    { settled: ONE_OPEN },
    "findings",
    "No new findings in 1 file (1 added line reviewed by built-in rules); 1 still open",
  ],
  [
    "nothing new, and others not shown",
    { settled: TWO_OPEN, dropped: [sampleDropped(), sampleDropped({ reason: "dropped:duplicate" })] },
    "findings",
    "No new findings in 1 file (1 added line reviewed by built-in rules); 2 still open; 1 not shown",
  ],
  [
    "something new",
    { judged: [NEW], settled: TWO_OPEN },
    "findings",
    "1 new finding (1 medium) in 1 file; 2 more still open",
  ],
  ["something new, nothing open", { judged: [NEW] }, "findings", "1 finding (1 medium) in 1 file"],
  [
    "not everything read",
    {
      change: sampleChange([CODE, OTHER]),
      settled: ONE_OPEN,
      coverage: {
        ...READ_ALL,
        unreadPaths: new Map([["b.ts", "limit:time"]]),
      },
    },
    "incomplete",
    "Incomplete review: 1 line in 1 file (time ran out) not reviewed. No new findings in 1 of 2 files (1 of 2 added lines reviewed by built-in rules); 1 still open",
  ],
  [
    "something new, and not everything read",
    {
      change: sampleChange([CODE, OTHER]),
      judged: [NEW],
      settled: ONE_OPEN,
      coverage: {
        ...READ_ALL,
        unreadPaths: new Map([["b.ts", "limit:time"]]),
      },
    },
    "incomplete",
    "1 new finding (1 medium) in 1 of 2 files; 1 more still open. Incomplete: 1 line in 1 file (time ran out) not reviewed",
  ],
  [
    "nothing new, and one resolved",
    { settled: settledOf([openFinding()], [FIXED]) },
    "findings",
    "No new findings in 1 file (1 added line reviewed by built-in rules); 1 still open; 1 resolved",
  ],
  [
    "nothing new, and all resolved",
    { settled: settledOf([], [FIXED, FIXED]) },
    "clean",
    "No findings in 1 file (1 added line reviewed by built-in rules); 2 resolved",
  ],
  [
    "something new, one open and one resolved",
    { judged: [NEW], settled: settledOf([openFinding()], [FIXED]) },
    "findings",
    "1 new finding (1 medium) in 1 file; 1 more still open; 1 resolved",
  ],
  [
    "nothing new, and one hidden",
    { settled: settledOf([], [], [HIDDEN]), dropped: [sampleDropped({ id: "id-hidden" })] },
    "clean",
    "No findings in 1 file (1 added line reviewed by built-in rules); 1 ignored or suppressed",
  ],
  [
    "a check that didn't run",
    { coverage: coverageWith(RUFF) },
    "incomplete",
    "Incomplete review: not checked: ruff, 2 files (not installed; to install it, run npm install ruff). No findings in 1 file (1 added line reviewed by built-in rules)",
  ],
  [
    "something new, and more checks that didn't run than are named",
    {
      judged: [NEW],
      coverage: coverageWith(
        ...["one", "two", "three", "four"].map((check) => ({ ...RUFF, check, detail: null })),
      ),
    },
    "incomplete",
    "1 finding (1 medium) in 1 file. Incomplete: not checked: one, 2 files (not installed), two, 2 files (not installed), three, 2 files (not installed)",
  ],
  [
    "a check that a person switched off",
    { coverage: coverageWith({ ...RUFF, reason: "off", paths: null }) },
    "clean",
    "No findings in 1 file (1 added line reviewed by built-in rules)",
  ],
  [
    "only files that can't be read",
    { change: sampleChange([IMAGE]), settled: ONE_OPEN },
    "findings",
    "No new findings in 0 of 1 file (0 added lines reviewed by built-in rules); 1 still open",
  ],
];

test("the highest severity is that of all open findings, new or not", () => {
  const open = openFinding({ severity: "minor" });
  // The judgement of this review counts.
  const judged = { ...open.judged, severity: "critical" as const };
  const { verdict } = samplePublication({ judged: [NEW], settled: settledOf([{ ...open, judged }]) });
  assert.equal(verdict.highest, "critical");
});

for (const [name, input, outcome, headline] of EARLIER) {
  test(`verdict with findings of an earlier review: ${name}`, () => {
    const silent = { change: sampleChange([CODE]), analysis: ANALYSIS, judged: [], dropped: [] };
    const { verdict } = samplePublication({ ...silent, ...input });
    assert.deepEqual([verdict.outcome, verdict.headline], [outcome, headline]);
  });
}
