import assert from "node:assert/strict";
import { test } from "node:test";
import { openFinding, priorFinding, settledOf } from "../../../../test/support/prior-fixtures.ts";
import {
  carriedScope,
  FLOOR_PASS,
  SAMPLE_MODEL,
  modelPass,
  READ_ALL,
  readByModel,
  sampleAnalysis,
  sampleChange,
  sampleDropped,
  sampleFile,
  sampleFileAnalysis,
  type SampleInput,
  samplePublication,
  SINCE,
} from "../../../../test/support/sample-publication.ts";
import type { ChangedFile } from "../../change/change.ts";
import { UNREAD } from "../../change/readings.ts";
import type { Publication, Verdict } from "../publication.ts";
import { composeReceipt } from "./compose-receipt.ts";

const CODE = sampleFile("a.ts", ["+x", "+y", "-z"]);
const OTHER = sampleFile("b.ts", ["+u"]);
const REMOVAL = sampleFile("c.ts", ["-v"]);
const LOCK = sampleFile("package-lock.json", ["+{"]);
const FILES = [CODE, OTHER, REMOVAL, LOCK];
const ANALYSIS = sampleAnalysis([
  sampleFileAnalysis("a.ts"),
  sampleFileAnalysis("b.ts"),
  sampleFileAnalysis("c.ts"),
  sampleFileAnalysis("package-lock.json", { mark: "lockfile" }),
]);

/** A second review, of which earlier reviews have read these files. */
function again(carried: readonly ChangedFile[], more: Partial<SampleInput> = {}): Publication {
  return samplePublication({
    change: sampleChange(FILES),
    analysis: ANALYSIS,
    judged: [],
    dropped: [],
    coverage: readByModel(FILES),
    scope: carriedScope(carried),
    passes: [FLOOR_PASS, modelPass(SAMPLE_MODEL)],
    ...more,
  });
}

const FIXED = {
  prior: priorFinding(),
  state: "verified",
  because: "its rule ran again and no longer finds it",
} as const;
const FAILED = modelPass("example:large", {
  outcome: "failed",
  stopReason: { kind: "http-error", status: 500 },
  turns: 0,
});

const HEADLINES: readonly [string, Publication, Verdict["outcome"], string][] = [
  ["nothing new", again(FILES), "clean", "Nothing new to review since 1a2b3c4; no open findings"],
  [
    "nothing new, some still open",
    again(FILES, { settled: settledOf([openFinding(), openFinding(), openFinding()]) }),
    "findings",
    "Nothing new to review since 1a2b3c4; 3 still open",
  ],
  [
    "nothing new, one resolved and one not shown",
    again(FILES, { settled: settledOf([openFinding()], [FIXED]), dropped: [sampleDropped()] }),
    "findings",
    "Nothing new to review since 1a2b3c4; 1 still open; 1 resolved; 1 not shown",
  ],
  [
    "nothing new in uncommitted work",
    again(FILES, { scope: { ...carriedScope(FILES), since: "uncommitted" } }),
    "clean",
    "Nothing new to review since the last review; no open findings",
  ],
  [
    "one file is new",
    again([CODE, REMOVAL]),
    "clean",
    "No findings in 3 of 4 files (4 added lines: 1 reviewed by example:large and built-in rules, 2 reviewed before)",
  ],
  [
    "only a removal is new",
    again([CODE, OTHER]),
    "clean",
    "No findings in 3 of 4 files (4 added lines: 0 reviewed by example:large and built-in rules, 3 reviewed before)",
  ],
  [
    "everything was read again",
    again([], { scope: { full: "requested", since: SINCE } }),
    "clean",
    "No findings in 3 of 4 files (3 of 4 added lines reviewed by example:large and built-in rules)",
  ],
  [
    "only files that aren't reviewed",
    again([], { change: sampleChange([LOCK]), coverage: READ_ALL }),
    "empty",
    "Nothing to review: 1 line in 1 file (lock file)",
  ],
  [
    "not finished",
    again([], {
      coverage: readByModel(FILES, { unreadPaths: new Map([["b.ts", "limit:time"]]) }),
      scope: carriedScope([CODE, REMOVAL]),
    }),
    "incomplete",
    "Incomplete review: not checked: built-in rules, 1 file (ran out of time). No findings in 3 of 4 files (4 added lines: 1 reviewed by example:large and built-in rules, 2 reviewed before)",
  ],
  [
    "the model failed on the new file",
    again([], {
      passes: [FLOOR_PASS, FAILED],
      coverage: { ...READ_ALL, byModel: new Map([["b.ts", "failed:model"]]) },
      scope: carriedScope([CODE, REMOVAL], { model: { id: "example:large", head: SINCE } }),
    }),
    "incomplete",
    "Incomplete review: 1 line in 1 file (the model failed) not reviewed by a model. No findings in 3 of 4 files (4 added lines: 1 reviewed by built-in rules, 2 reviewed before)",
  ],
  [
    "the model read one of two new files",
    again([], {
      passes: [
        FLOOR_PASS,
        modelPass("example:large", { outcome: "timed-out", stopReason: { kind: "deadline" } }),
      ],
      coverage: {
        ...READ_ALL,
        byModel: new Map([
          ["a.ts", null],
          ["b.ts", "limit:time"],
          ["c.ts", null],
        ]),
      },
    }),
    "incomplete",
    "Incomplete review: 1 line in 1 file (time ran out) not reviewed by a model. No findings in 3 of 4 files (4 added lines: 2 reviewed by example:large and built-in rules, 1 by built-in rules only)",
  ],
];

for (const [name, { verdict }, outcome, headline] of HEADLINES) {
  test(`verdict of a second review: ${name}`, () => {
    assert.deepEqual([verdict.outcome, verdict.headline], [outcome, headline]);
  });
}

test("the receipt has a file as read if only a removal in it is new", () => {
  const scope = carriedScope([CODE]);
  const [hunk] = scope.byPath.get("a.ts") ?? [];
  assert.ok(hunk !== undefined);
  const readings = hunk.readings.map((reading, index) => (index === 2 ? UNREAD : reading));
  const byPath = new Map([["a.ts", [{ ...hunk, readings }]]]);
  const { entries, coverage } = composeReceipt([CODE], ANALYSIS, readByModel([CODE]), { byPath });
  assert.deepEqual(entries, [
    { path: "a.ts", status: "carried", reason: null, carried: { by: SAMPLE_MODEL, head: SINCE }, lines: 2 },
    { path: "a.ts", status: "reviewed", reason: null, lines: 0 },
  ]);
  assert.deepEqual([coverage.addedLines, coverage.reviewedLines, coverage.carriedLines], [2, 0, 2]);
});

test("the receipt has a deletion as carried if a model read it before", () => {
  const scope = carriedScope([REMOVAL]);
  const byModel = { ...READ_ALL, byModel: new Map() };
  assert.deepEqual(composeReceipt([REMOVAL], ANALYSIS, byModel, scope).entries, [
    {
      path: "c.ts",
      status: "carried",
      reason: null,
      carried: { by: SAMPLE_MODEL, head: SINCE },
      lines: 0,
    },
  ]);
  assert.deepEqual(composeReceipt([REMOVAL], ANALYSIS, byModel, carriedScope([REMOVAL], UNREAD)).entries, [
    { path: "c.ts", status: "reviewed", reason: null, lines: 0 },
  ]);
});
