import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  READ_ALL,
  sampleAnalysis,
  sampleFile,
  sampleFileAnalysis,
} from "../../../../test/support/sample-publication.ts";
import type { Analysis, FileAnalysis } from "../../analysis/analysis.ts";
import type { ChangedFile } from "../../change/change.ts";
import { type LineReading, UNREAD } from "../../change/readings.ts";
import { addedLines } from "../../change/walk-hunks.ts";
import { bucketOf, composeReceipt, makesIncomplete, type ReadCoverage } from "./compose-receipt.ts";
import type { FileCoverage, ReceiptEntry } from "../receipt.ts";
import { describeGap } from "../words.ts";
import { someRuns } from "../../../../test/support/extent.ts";

const ALL_LOST: ReadCoverage = {
  offPaths: new Set(["a"]),
  unreadPaths: new Map([["a", "failed:rule-error"]]),
  byModel: new Map([["a", "failed:model"]]),
  gaps: [],
};
const CODE = ["+one", "+two"];

type Case = {
  readonly name: string;
  readonly file: ChangedFile;
  readonly known?: Partial<FileAnalysis>;
  readonly coverage?: Partial<ReadCoverage>;
  readonly skipReview?: boolean;
  /** Lines that the rules have read and the model has not. */
  readonly byRules?: number;
  /** status, reason, lines */
  readonly entries: readonly (readonly [ReceiptEntry["status"], ReceiptEntry["reason"], number])[];
};

const CASES: readonly Case[] = [
  { name: "read", file: sampleFile("a", CODE), entries: [["reviewed", null, 2]] },
  {
    name: "read by the model",
    file: sampleFile("a", CODE),
    coverage: { byModel: new Map([["a", null]]) },
    entries: [["reviewed", null, 2]],
  },
  {
    name: "not read by the model before time ran out",
    file: sampleFile("a", CODE),
    coverage: { byModel: new Map([["a", "limit:time"]]) },
    entries: [["omitted", "limit:time", 2]],
    byRules: 2,
  },
  {
    name: "read by the model where the floor is off",
    file: sampleFile("a", CODE),
    coverage: { offPaths: new Set(["a"]), byModel: new Map([["a", null]]) },
    entries: [["reviewed", null, 2]],
  },
  {
    name: "the floor is off, and the model was not wanted for it",
    file: sampleFile("a", CODE),
    coverage: { offPaths: new Set(["a"]), byModel: new Map() },
    entries: [["omitted", "floor-off", 2]],
  },
  {
    name: "a rule failed, and the model did",
    file: sampleFile("a", CODE),
    coverage: {
      unreadPaths: new Map([["a", "failed:rule-error"]]),
      byModel: new Map([["a", "failed:model"]]),
    },
    entries: [["omitted", "failed:rule-error", 2]],
  },
  {
    name: "the model failed: no reviewer has read cut lines and lines that weren't kept",
    file: sampleFile("a", CODE, { cutLines: [11], addedLines: 5 }),
    coverage: { byModel: new Map([["a", "failed:model"]]) },
    entries: [
      ["omitted", "limit:line-too-long", 1],
      ["omitted", "failed:model", 1],
      ["omitted", "failed:model", 3],
    ],
    byRules: 1,
  },
  {
    name: "the floor is off, and the model failed",
    file: sampleFile("a", CODE),
    coverage: { offPaths: new Set(["a"]), byModel: new Map([["a", "failed:model"]]) },
    entries: [["omitted", "failed:model", 2]],
  },
  {
    name: "deleted file",
    file: sampleFile("a", ["-gone"], { status: "deleted" }),
    entries: [["reviewed", null, 0]],
  },
  {
    name: "pure rename",
    file: sampleFile("a", [], { status: "renamed", oldPath: "b" }),
    entries: [["reviewed", null, 0]],
  },
  {
    name: "binary",
    file: sampleFile("a", [], { unreadable: "binary" }),
    entries: [["unreviewable", "binary", 0]],
  },
  {
    name: "submodule",
    file: sampleFile("a", [], { unreadable: "submodule" }),
    entries: [["unreviewable", "submodule", 0]],
  },
  {
    name: "symlink",
    file: sampleFile("a", ["+t"], { unreadable: "symlink" }),
    entries: [["unreviewable", "symlink", 1]],
  },
  {
    name: "mode only",
    file: sampleFile("a", [], { unreadable: "mode-only" }),
    entries: [["unreviewable", "mode-only", 0]],
  },
  {
    name: "unreadable",
    file: sampleFile("a", [], { unreadable: "unreadable", addedLines: 7 }),
    entries: [["unreviewable", "unreadable", 7]],
  },
  {
    name: "too large: counted although its hunks are gone; before every failure",
    file: sampleFile("a", [], { unreadable: "too-large", addedLines: 30_000 }),
    coverage: ALL_LOST,
    entries: [["omitted", "limit:too-large", 30_000]],
  },
  {
    name: "data that is too large: listed, and no failure",
    file: sampleFile("a", [], { unreadable: "too-large", addedLines: 30_000 }),
    known: { category: "test", language: "json" },
    coverage: ALL_LOST,
    entries: [["unreviewable", "data-file", 30_000]],
  },
  {
    name: "a large lock file is left out on purpose, not for its size",
    file: sampleFile("a", [], { unreadable: "too-large", addedLines: 30_000 }),
    known: { mark: "lockfile" },
    entries: [["omitted", "filtered:lockfile", 30_000]],
  },
  {
    name: "skipPaths before the mark",
    file: sampleFile("a", CODE, { cutLines: [10] }),
    known: { mark: "generated", isSkipped: true },
    coverage: ALL_LOST,
    entries: [["omitted", "filtered:skip-paths", 2]],
  },
  {
    name: "mark before cut lines",
    file: sampleFile("a", CODE, { cutLines: [10] }),
    known: { mark: "minified" },
    coverage: ALL_LOST,
    entries: [["omitted", "filtered:minified", 2]],
  },
  {
    name: "lock file",
    file: sampleFile("a", CODE),
    known: { mark: "lockfile" },
    entries: [["omitted", "filtered:lockfile", 2]],
  },
  {
    name: "vendored",
    file: sampleFile("a", CODE),
    known: { mark: "vendored" },
    entries: [["omitted", "filtered:vendored", 2]],
  },
  {
    name: "a cut line next to a reviewed one",
    file: sampleFile("a", CODE, { cutLines: [11] }),
    entries: [
      ["omitted", "limit:line-too-long", 1],
      ["reviewed", null, 1],
    ],
  },
  {
    name: "only cut lines",
    file: sampleFile("a", CODE, { cutLines: [10, 11] }),
    entries: [["omitted", "limit:line-too-long", 2]],
  },
  {
    name: "a cut line in a data file",
    file: sampleFile("a", CODE, { cutLines: [11] }),
    known: { language: "xml" },
    entries: [
      ["unreviewable", "data-line", 1],
      ["reviewed", null, 1],
    ],
  },
  {
    name: "a cut line in a lock file",
    file: sampleFile("a", CODE, { cutLines: [10, 11] }),
    known: { language: "json", mark: "lockfile" },
    entries: [["omitted", "filtered:lockfile", 2]],
  },
  {
    name: "a cut context line changes nothing",
    file: sampleFile("a", [" long", "+x"], { cutLines: [10] }),
    entries: [["reviewed", null, 1]],
  },
  {
    name: "cut line before floor-off",
    file: sampleFile("a", CODE, { cutLines: [11] }),
    coverage: { ...ALL_LOST, byModel: null },
    entries: [
      ["omitted", "limit:line-too-long", 1],
      ["omitted", "floor-off", 1],
    ],
  },
  {
    name: "floor off before failed",
    file: sampleFile("a", CODE),
    coverage: { ...ALL_LOST, byModel: null },
    entries: [["omitted", "floor-off", 2]],
  },
  {
    name: "failed before time",
    file: sampleFile("a", CODE),
    coverage: { ...ALL_LOST, offPaths: new Set() },
    entries: [["omitted", "failed:rule-error", 2]],
  },
  {
    name: "time",
    file: sampleFile("a", CODE),
    coverage: { unreadPaths: new Map([["a", "limit:time"]]) },
    entries: [["omitted", "limit:time", 2]],
  },
  {
    name: "a file over its limits",
    file: sampleFile("a", CODE),
    coverage: { unreadPaths: new Map([["a", "limit:file-cost"]]) },
    entries: [["omitted", "limit:file-cost", 2]],
  },
  {
    name: "review skipped",
    file: sampleFile("a", CODE),
    skipReview: true,
    entries: [["omitted", "skipped:no-review", 2]],
  },
  {
    name: "lines that were counted but not kept are never called read",
    file: sampleFile("a", CODE, { addedLines: 5 }),
    entries: [
      ["reviewed", null, 2],
      ["unreviewable", "unreadable", 3],
    ],
  },
];

for (const { name, file, known, coverage, skipReview, entries, byRules = 0 } of CASES) {
  test(`receipt: ${name}`, () => {
    const base = sampleAnalysis([sampleFileAnalysis("a", known)]);
    const analysis: Analysis = {
      ...base,
      skippedBecause: skipReview === true ? "[no-review] in the title" : null,
    };
    const receipt = composeReceipt([file], analysis, { ...READ_ALL, ...coverage });
    assert.deepEqual(
      receipt.entries.map(({ status, reason, lines }) => [status, reason, lines]),
      entries,
    );
    const ofRules = receipt.entries.filter(({ readBy }) => readBy === "rules");
    assert.equal(
      ofRules.reduce((sum, { lines }) => sum + lines, 0),
      byRules,
    );
    assert.equal(receipt.coverage.isComplete, !entries.some(([, reason]) => makesIncomplete(reason)));
  });
}

test("receipt: which reasons make a review incomplete", () => {
  const incomplete = [
    "limit:line-too-long",
    "limit:too-large",
    "limit:too-many-files",
    "limit:git-filter",
    "limit:time",
    "failed:rule-error",
    "unreadable",
    "floor-off",
    "skipped:no-review",
  ] as const;
  const complete = [
    "filtered:lockfile",
    "filtered:skip-paths",
    "binary",
    "submodule",
    "symlink",
    "lfs-pointer",
    "mode-only",
    "data-line",
    "data-file",
    null,
  ] as const;
  assert.deepEqual(incomplete.filter(makesIncomplete), incomplete);
  assert.deepEqual(complete.filter(makesIncomplete), []);
});

/** A file with these hunks, at the lines 10, 30 and 50. */
function fileOfHunks(
  path: string,
  hunks: readonly (readonly string[])[],
  more: Partial<ChangedFile> = {},
): ChangedFile {
  const all = hunks.map((lines, index) => {
    const start = 10 + 20 * index;
    return { oldStart: start, newStart: start, section: "", lines };
  });
  const { addedLines: added, removedLines: removed } = sampleFile(path, hunks.flat());
  return sampleFile(path, [], { hunks: all, addedLines: added, removedLines: removed, ...more });
}

/** The model has read only these hunks. */
function partly(...hunks: readonly number[]): FileCoverage {
  return { hunks: new Set(hunks), rest: "limit:unmarked" };
}

const HUNKS = fileOfHunks("a", [["+one"], ["+two", "+three"], ["-gone"]]);

const PARTS: readonly (readonly [
  name: string,
  coverage: Partial<ReadCoverage>,
  entries: readonly string[],
])[] = [
  [
    "only the read hunks count",
    { byModel: new Map([["a", partly(2)]]) },
    ["reviewed null 2", "omitted limit:unmarked 1, 2 of 3 hunks"],
  ],
  [
    "an unread removal is listed too",
    { byModel: new Map([["a", partly(1, 2)]]) },
    ["reviewed null 3", "omitted limit:unmarked 0, 1 of 3 hunks"],
  ],
  ["all hunks are the whole file", { byModel: new Map([["a", partly(1, 2, 3)]]) }, ["reviewed null 3"]],
  [
    "skimmed hunks are listed, unless they weren't read",
    { byModel: new Map([["a", partly(1, 2)]]), skimmed: new Map([["a", new Set([2, 3])]]) },
    ["reviewed null 1", "reviewed null 2, skimmed", "omitted limit:unmarked 0, 1 of 3 hunks"],
  ],
  [
    "without built-in rules, no one has read the other hunks",
    { byModel: new Map([["a", partly(1)]]), offPaths: new Set(["a"]) },
    ["reviewed null 1", "omitted limit:unmarked 2"],
  ],
  [
    "the rest of a file that the rules failed on is unread",
    { byModel: new Map([["a", partly(1)]]), unreadPaths: new Map([["a", "failed:rule-error"]]) },
    ["reviewed null 1", "omitted failed:rule-error 2"],
  ],
];

for (const [name, coverage, expected] of PARTS) {
  test(`receipt: of a file that a model has read in part, ${name}`, () => {
    const analysis = sampleAnalysis([sampleFileAnalysis("a")]);
    const receipt = composeReceipt([HUNKS], analysis, { ...READ_ALL, ...coverage });
    const texts = receipt.entries.map(
      ({ status, reason, lines, hunks, isSkimmed }) =>
        `${status} ${reason} ${lines}${isSkimmed === true ? ", skimmed" : ""}${hunks === undefined ? "" : `, ${hunks.unread} of ${hunks.total} hunks`}`,
    );
    assert.deepEqual(texts, expected);
    assert.equal(receipt.coverage.isComplete, expected.length === 1 && expected[0] === "reviewed null 3");
  });
}

test("receipt: a hunk that an earlier model has read isn't counted as unread", () => {
  const lines = (reading: LineReading) => ({ status: "carried", readings: [reading, reading] }) as const;
  const byPath = new Map([["a", [lines(READ), lines(UNREAD), lines(READ)]]]);
  const analysis = sampleAnalysis([sampleFileAnalysis("a")]);
  const after = (read: FileCoverage) =>
    composeReceipt([HUNKS], analysis, { ...READ_ALL, byModel: new Map([["a", read]]) }, { byPath }).entries;
  const carried = { path: "a", status: "carried", reason: null, carried: READ.model, lines: 1 };
  const unread = { path: "a", status: "omitted", reason: "limit:time", readBy: "rules", lines: 2 };
  assert.deepEqual(after("limit:time"), [
    { ...carried, carried: { by: "a:x", head: "h1" } },
    { ...unread, hunks: { unread: 1, total: 3 } },
  ]);
});

const READ: LineReading = { model: { id: "a:x", head: "h1" } };
const READ_AT_H0: LineReading = { model: { id: "a:y", head: "h0" } };

const BY_MODEL = { byModel: new Map([["a", null]]) };

/** The receipt of a file whose lines were read like this: "status reader@head lines", and the lines that were carried. */
function receiptAfter(
  readings: readonly (LineReading | null)[],
  coverage: Partial<ReadCoverage>,
  file = sampleFile("a", ["-gone", "+one", " context", "+two", "+three"]),
): readonly [entries: readonly string[], carriedLines: number] {
  const scope = { byPath: new Map([["a", [{ status: "changed", readings } as const]]]) };
  const receipt = composeReceipt(
    [file],
    sampleAnalysis([sampleFileAnalysis("a")]),
    { ...READ_ALL, ...coverage },
    scope,
  );
  const texts = receipt.entries.map(
    ({ status, reason, carried, lines }) =>
      `${status} ${carried === undefined ? reason : `${carried.by}@${carried.head}`} ${lines}`,
  );
  assert.equal(receipt.coverage.addedLines, 3);
  assert.equal(
    receipt.coverage.reviewedFiles,
    receipt.entries.some(({ status }) => status !== "omitted") ? 1 : 0,
  );
  return [texts.toSorted(), receipt.coverage.carriedLines];
}

test("receipt: lines that a model has read before are carried, each with its reader and head", () => {
  const readings = [READ, READ, null, READ_AT_H0, UNREAD];
  assert.deepEqual(receiptAfter(readings, BY_MODEL), [
    ["carried a:x@h1 1", "carried a:y@h0 1", "reviewed null 1"],
    2,
  ]);
});

test("receipt: without a model nothing is carried, because the rules read everything every time", () => {
  assert.deepEqual(receiptAfter([READ, READ, null, READ_AT_H0, UNREAD], {}), [["reviewed null 3"], 0]);
});

test("receipt: gaps are kept, and make a review incomplete unless a person switched the check off", () => {
  for (const reason of ["off", "not-installed", "limit", "failed"] as const) {
    const gaps = [{ check: "ruff", reason, detail: null, paths: ["a"], rules: ["ruff/"] }];
    const receipt = composeReceipt([sampleFile("a", CODE)], sampleAnalysis([sampleFileAnalysis("a")]), {
      ...READ_ALL,
      gaps,
    });
    assert.deepEqual(receipt.gaps, gaps);
    assert.equal(receipt.coverage.isComplete, reason === "off", reason);
  }
});

test("receipt: lines that a model didn't reach are omitted, and those of an earlier review stay carried", () => {
  const byModel = new Map([["a", "limit:budget" as const]]);
  const receipt = receiptAfter([READ, READ, null, UNREAD, UNREAD], { byModel });
  assert.deepEqual(receipt, [["carried a:x@h1 1", "omitted limit:budget 2"], 1]);
});

test("receipt: lines of an earlier model stay carried where the rules failed, unless there is no model now", () => {
  const readings = [READ, READ, null, READ, UNREAD];
  const unreadPaths = new Map([["a", "limit:time" as const]]);
  assert.deepEqual(receiptAfter(readings, { unreadPaths }), [["omitted limit:time 3"], 0]);
  assert.deepEqual(receiptAfter(readings, { unreadPaths, byModel: new Map() }), [
    ["carried a:x@h1 2", "omitted limit:time 1"],
    2,
  ]);
});

test("receipt: files that a model has read and the rules didn't finish are reviewed, with one gap per reason", () => {
  const files = ["a", "b", "c", "d"].map((path) => sampleFile(path, CODE));
  const analysis = sampleAnalysis(files.map(({ path }) => sampleFileAnalysis(path)));
  const { entries, gaps, coverage } = composeReceipt(files, analysis, {
    ...READ_ALL,
    unreadPaths: new Map([
      ["a", "limit:file-cost"],
      ["b", "limit:file-cost"],
      ["c", "failed:rule-error"],
      ["d", "limit:time"],
    ]),
    byModel: new Map<string, FileCoverage>([
      ["a", null],
      ["b", null],
      ["c", null],
      ["d", "limit:budget"],
    ]),
  });
  assert.deepEqual(
    entries.map(({ path, status, reason }) => [path, status, reason]),
    [
      ["a", "reviewed", null],
      ["b", "reviewed", null],
      ["c", "reviewed", null],
      ["d", "omitted", "limit:time"],
    ],
  );
  assert.deepEqual(gaps.map(describeGap), [
    "built-in rules, 2 files (over the time or memory limit for one file)",
    "built-in rules, 1 file (a rule failed)",
  ]);
  assert.deepEqual([coverage.reviewedLines, coverage.isComplete], [6, false]);
});

test("receipt: a gap of the rules alone makes a review incomplete", () => {
  const { coverage } = composeReceipt([sampleFile("a", CODE)], sampleAnalysis([sampleFileAnalysis("a")]), {
    ...READ_ALL,
    ...BY_MODEL,
    unreadPaths: new Map([["a", "limit:file-cost"]]),
  });
  assert.deepEqual([coverage.reviewedLines, coverage.isComplete], [2, false]);
});

test("receipt: a line that is too long to be read is never carried", () => {
  const file = sampleFile("a", ["-gone", "+one", " context", "+two", "+three"], { cutLines: [12] });
  const [entries] = receiptAfter([READ, READ, null, READ, READ], BY_MODEL, file);
  assert.deepEqual(entries, ["carried a:x@h1 2", "omitted limit:line-too-long 1"]);
});

test("receipt: the same path twice is one file and one entry", () => {
  const file = sampleFile("a", CODE);
  const { entries, coverage } = composeReceipt([file, file], sampleAnalysis([]), READ_ALL);
  assert.deepEqual(entries, [{ path: "a", status: "reviewed", reason: null, lines: 4 }]);
  assert.equal(coverage.files, 1);
  assert.equal(coverage.addedLines, 4);
});

const lineKind = fc.constantFrom(" ", "+", "-");
const generatedFile: fc.Arbitrary<ChangedFile> = fc
  .record({
    path: fc.constantFrom("a", "b", "c", "d"),
    hunks: fc.array(
      fc.array(
        lineKind.map((kind) => `${kind}x`),
        { minLength: 1, maxLength: 12 },
      ),
      { maxLength: 3 },
    ),
    unreadable: fc.option(
      fc.constantFrom("binary", "submodule", "symlink", "too-large", "unreadable", "mode-only"),
      { freq: 3 },
    ),
    cutLines: fc.uniqueArray(fc.integer({ min: 10, max: 64 }), { maxLength: 8 }),
    lost: fc.nat({ max: 3 }),
  })
  .map(({ path, hunks, unreadable, cutLines, lost }) =>
    unreadable === null
      ? fileOfHunks(path, hunks, { cutLines })
      : sampleFile(path, [], { unreadable, cutLines, addedLines: lost }),
  );
const generatedKnown = fc.record({
  mark: fc.option(fc.constantFrom("lockfile", "generated", "vendored", "minified"), { freq: 3 }),
  isSkipped: fc.boolean(),
});
const generatedPaths = fc
  .uniqueArray(fc.constantFrom("a", "b", "c", "d"))
  .map((paths): ReadonlySet<string> => new Set(paths));

const generatedUnread = fc
  .uniqueArray(
    fc.tuple(
      fc.constantFrom("a", "b", "c", "d"),
      fc.constantFrom("failed:rule-error", "limit:time", "limit:file-cost"),
    ),
    { selector: ([path]) => path },
  )
  .map((entries): ReadCoverage["unreadPaths"] => new Map(entries));

const generatedByModel = fc.option(
  fc
    .uniqueArray(
      fc.tuple(
        fc.constantFrom("a", "b", "c", "d"),
        fc.oneof(
          fc.constantFrom(null, "limit:time" as const, "failed:model" as const),
          fc.uniqueArray(fc.integer({ min: 1, max: 3 })).map((hunks) => partly(...hunks)),
        ),
      ),
      { selector: ([path]) => path },
    )
    .map((entries): ReadCoverage["byModel"] => new Map<string, FileCoverage>(entries)),
);

test("receipt: every added line is in exactly one entry", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(generatedFile, { selector: ({ path }) => path }),
      fc.tuple(generatedKnown, generatedKnown, generatedKnown),
      fc.record({
        offPaths: generatedPaths,
        unreadPaths: generatedUnread,
        byModel: generatedByModel,
        gaps: fc.constant([]),
      }),
      (files, known, coverage) => {
        // The path "d" is one the analysis does not know.
        const analysis = sampleAnalysis(
          ["a", "b", "c"].map((path, index) => sampleFileAnalysis(path, known[index])),
        );
        const receipt = composeReceipt(files, analysis, coverage);
        const keys = receipt.entries.map(({ path, status, reason }) => `${path} ${status} ${reason}`);
        assert.equal(new Set(keys).size, keys.length);
        for (const file of files) {
          const own = receipt.entries.filter(({ path }) => path === file.path);
          assert.ok(own.length > 0);
          assert.equal(
            own.reduce((sum, { lines }) => sum + lines, 0),
            file.addedLines,
          );
          const isSplit = typeof coverage.byModel?.get(file.path) === "object";
          assert.ok(own.every(({ lines }) => lines > 0) || own.length === 1 || isSplit);
          checkLineByLine(file, own, analysis, coverage);
        }
        checkSums(receipt, files);
      },
    ),
    { numRuns: someRuns(500) },
  );
});

/** Counts each line's own bucket and compares with the entries. */
function checkLineByLine(
  file: ChangedFile,
  own: readonly ReceiptEntry[],
  analysis: Analysis,
  coverage: ReadCoverage,
): void {
  const counts = new Map<string, number>();
  const lines = file.hunks.flatMap((hunk, index) =>
    [...addedLines({ ...file, hunks: [hunk] })].map(({ line }) => ({ line, hunk: index + 1 })),
  );
  const unseen = Array.from({ length: file.addedLines - lines.length }, () => ({ line: null, hunk: null }));
  for (const place of [...lines, ...unseen]) {
    const { status, reason } = bucketOf(file, place, analysis, coverage);
    counts.set(`${status} ${reason}`, (counts.get(`${status} ${reason}`) ?? 0) + 1);
  }
  const buckets = own
    .filter(({ lines }) => lines > 0)
    .map(({ status, reason, lines }) => [`${status} ${reason}`, lines] as const);
  assert.deepEqual(new Map(buckets), counts);
}

function checkSums(
  { entries, coverage }: ReturnType<typeof composeReceipt>,
  files: readonly ChangedFile[],
): void {
  assert.equal(
    coverage.addedLines,
    files.reduce((sum, file) => sum + file.addedLines, 0),
  );
  assert.equal(
    coverage.reviewedLines + coverage.omittedLines + coverage.unreviewableLines,
    coverage.addedLines,
  );
  assert.equal(coverage.files, files.length);
  assert.ok(coverage.reviewedFiles <= coverage.files);
  assert.ok(entries.every(({ status, reason }) => (status === "reviewed") === (reason === null)));
}
