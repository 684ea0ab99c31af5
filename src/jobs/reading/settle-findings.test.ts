import assert from "node:assert/strict";
import { test } from "node:test";
import { analysisOf, changedFile, changeOf, configTreeOf } from "../../../test/support/analysis-fixtures.ts";
import { priorFinding, priorRun } from "../../../test/support/prior-fixtures.ts";
import { FLOOR_PASS, READ_ALL } from "../../../test/support/sample-publication.ts";
import type { ChangedFile } from "../../review/change/change.ts";
import type { LineReading } from "../../review/change/readings.ts";
import { decideScope, placesSince } from "../../review/context/decide-scope.ts";
import type { PriorFinding, PriorReview } from "../../review/context/prior-review.ts";
import { locatePrior } from "../../review/findings/match-prior.ts";
import type { SarifReport } from "../../review/findings/sarif-report.ts";
import type { AnalyserReport } from "../../review/publication/publication.ts";
import type { FileCoverage } from "../../review/publication/receipt.ts";
import type { ReadCoverage } from "../../review/publication/compose/compose-receipt.ts";
import { createDegradations } from "../gathering/optional.ts";
import { readingsOfRun } from "./readings-of-run.ts";
import { settleFindings } from "./settle-findings.ts";

const A = changedFile({ path: "a.py", lines: ["+first()", "+broken()", "+last()"] });
const B = changedFile({ path: "b.py", lines: ["+other()"] });
const FIXED = changedFile({ path: "a.py", lines: ["+first()", "+repaired()", "+last()"] });
/** The line of the finding is the same, and another one is new. */
const LONGER = changedFile({ path: "a.py", lines: ["+first()", "+broken()", "+last()", "+new()"] });

const READ: LineReading = { rules: "h1", model: { id: "a:x", head: "h1" } };

type Run = {
  /** The file of the finding in the earlier review; A by default. */
  readonly before?: ChangedFile;
  readonly files: readonly ChangedFile[];
  readonly prior?: Partial<PriorFinding>;
  /** Paths that a model has read in this run; null without a model. "a.py 2" is the second hunk alone. */
  readonly byModel?: readonly string[];
  readonly unreadPaths?: ReadCoverage["unreadPaths"];
  readonly changeRules?: readonly string[];
  readonly analysers?: readonly AnalyserReport[];
  readonly sarif?: readonly SarifReport[];
};

/** What becomes of a finding on line 2 of a.py that isn't found again: "STATE" or "STATE: because". */
function settle(run: Run): string {
  const finding = priorFinding({ path: "a.py", startLine: 2, endLine: 2, rule: "broken-call", ...run.prior });
  const prior: PriorReview = {
    runs: [priorRun({ files: [run.before ?? A, B], config: "c", readings: { usual: READ, others: [] } })],
    findings: [finding],
  };
  const change = changeOf(run.files, { head: "h2" });
  const scope = decideScope({ files: run.files, prior, isFull: false, config: "c" });
  const byModel = run.byModel === undefined ? null : new Map(run.byModel.map(coverageOf));
  const coverage = { ...READ_ALL, unreadPaths: run.unreadPaths ?? new Map(), byModel };
  const passes = byModel === null ? [] : [{ ...FLOOR_PASS, model: "a:x" }];
  const tree = configTreeOf();
  const { stillOpen, resolved } = settleFindings({
    located: locatePrior(prior, placesSince(run.files, prior)),
    again: [],
    prepared: {
      change,
      config: { tree, origin: "defaults", problems: [], learnings: [] },
      analysis: analysisOf(change, tree),
      prior,
      scope,
      sarif: run.sarif ?? [],
      dependencies: null,
      listing: async () => null,
      degradations: createDegradations(new AbortController().signal),
    },
    rules: {
      findings: [],
      coverage,
      rulesRun: 1,
      changeRules: new Set(run.changeRules),
      report: FLOOR_PASS,
      analysers: run.analysers ?? [],
    },
    readings: readingsOfRun({ change, scope, coverage, analysers: [], passes }),
  });
  assert.equal(stillOpen.length + resolved.length, 1);
  const [open] = stillOpen;
  return open?.state ?? `${resolved[0]?.state}: ${resolved[0]?.because}`;
}

function coverageOf(read: string): readonly [string, FileCoverage] {
  const [path = "", hunk] = read.split(" ");
  return [path, hunk === undefined ? null : { hunks: new Set([Number(hunk)]), rest: "limit:time" }];
}

/** The code of the finding is fixed in the first hunk, and the second is new. */
const TWO_HUNKS: ChangedFile = {
  ...FIXED,
  addedLines: 4,
  hunks: [...FIXED.hunks, { oldStart: 40, newStart: 43, section: "", lines: [" context()", "+new()"] }],
};

/** A file with these lines in hunks of their own, at 1, 40 and 80. */
function inHunks(...lines: readonly string[]): ChangedFile {
  const hunks = lines.flatMap((line, index) => {
    const start = 1 + 40 * index;
    return line === "" ? [] : [{ oldStart: start, newStart: start, section: "", lines: ["+top()", line] }];
  });
  return changedFile({ path: "a.py", hunks, addedLines: 2 * hunks.length });
}

const LEFT = {
  before: inHunks("+broken()", "+kept()"),
  files: [inHunks("", "+kept()", "+new()"), B],
} as const;

const FIXED_TEXT = "verified: its code was changed";
const SILENT_TEXT = "verified: its rule no longer applies";
const GONE_TEXT = "expired: its code is no longer part of the change";

const LATE = new Map([["a.py", "limit:time"]] as const);
const MODEL = { source: "model", rule: null } as const;
const RUFF = { source: "analyser", rule: "ruff/F821" } as const;
const SARIF = { source: "sarif", rule: "semgrep/broken" } as const;

function ruff(gaps: AnalyserReport["gaps"]): AnalyserReport {
  return { name: "ruff", version: "1", package: "ruff", files: 1, findings: 0, ms: 1, gaps };
}

const REPORT: SarifReport = {
  file: "semgrep.sarif",
  tools: [{ name: "semgrep", version: null }],
  results: 0,
  findings: [],
  skipped: { unchanged: 0, unmapped: 0, withoutLine: 0, passed: 0, known: 0, repeated: 0, overLimit: 0 },
};

const CASES: readonly (readonly [what: string, run: Run, expected: string])[] = [
  ["a rule's, fixed, and the rules read the file", { files: [FIXED, B] }, FIXED_TEXT],
  ["a rule's, changed, and the rules ran out of time", { files: [FIXED, B], unreadPaths: LATE }, "addressed"],
  ["a rule's, unchanged, and the rules read the file again", { files: [LONGER, B] }, SILENT_TEXT],
  [
    "a rule's, unchanged, and the rules failed on the file",
    { files: [LONGER, B], unreadPaths: LATE },
    "open",
  ],
  ["a rule's, unchanged in a file that wasn't read again", { files: [A, editedB()] }, "open"],
  [
    "of a rule over the whole change, which ran again",
    { files: [A, B], changeRules: ["broken-call"] },
    SILENT_TEXT,
  ],
  ["of a rule over the whole change, which failed", { files: [A, B] }, "open"],
  [
    "a model's, fixed, and a model read the file",
    { files: [FIXED, B], prior: MODEL, byModel: ["a.py"] },
    FIXED_TEXT,
  ],
  [
    "a model's, fixed, and a model read only its hunk",
    { files: [TWO_HUNKS, B], prior: MODEL, byModel: ["a.py 1"] },
    FIXED_TEXT,
  ],
  [
    "a model's, changed, and a model read only another hunk",
    { files: [TWO_HUNKS, B], prior: MODEL, byModel: ["a.py 2"] },
    "addressed",
  ],
  [
    "a model's, whose hunk is gone, and a model read the new one",
    { ...LEFT, prior: MODEL, byModel: ["a.py 2"] },
    FIXED_TEXT,
  ],
  [
    "a model's, whose hunk is gone, and no model read the new one, where its code may be",
    { ...LEFT, prior: MODEL, byModel: ["b.py"] },
    "addressed",
  ],
  ["a model's, changed, and no model read it", { files: [FIXED, B], prior: MODEL }, "addressed"],
  [
    "a model's, changed, and a model read only another file",
    { files: [FIXED, B], prior: MODEL, byModel: ["b.py"] },
    "addressed",
  ],
  [
    "a model's, unchanged, and a model read the file again",
    { files: [LONGER, B], prior: MODEL, byModel: ["a.py"] },
    "open",
  ],
  [
    "a linter's, fixed, and the linter checked it",
    { files: [FIXED, B], prior: RUFF, analysers: [ruff([])] },
    FIXED_TEXT,
  ],
  ["a linter's, fixed, and the linter didn't run", { files: [FIXED, B], prior: RUFF }, "addressed"],
  [
    "a linter's, fixed, and the linter failed",
    {
      files: [FIXED, B],
      prior: RUFF,
      analysers: [ruff([{ reason: "failed", files: 1, paths: ["a.py"], message: "no" }])],
    },
    "addressed",
  ],
  ["a linter's, unchanged, and the linter didn't run", { files: [LONGER, B], prior: RUFF }, "open"],
  ["another tool's, changed, without its results", { files: [FIXED, B], prior: SARIF }, "addressed"],
  [
    "another tool's, changed, with new results",
    { files: [FIXED, B], prior: SARIF, sarif: [REPORT] },
    FIXED_TEXT,
  ],
  ["another tool's, unchanged, without its results", { files: [LONGER, B], prior: SARIF }, "open"],
  ["another tool's, in a file that is gone, without its results", { files: [B], prior: SARIF }, "addressed"],
  ["a rule's, in a file that is gone", { files: [B] }, GONE_TEXT],
  [
    "a rule's, in a file that is gone, and another file isn't read",
    { files: [editedB()], unreadPaths: new Map([["b.py", "limit:time"]]) },
    "addressed",
  ],
  [
    "a rule's, in a file that is gone, and only a lock file isn't read",
    {
      files: [B, changedFile({ path: "package-lock.json", lines: ["+{}"] })],
      unreadPaths: new Map([["package-lock.json", "limit:time"]]),
    },
    GONE_TEXT,
  ],
  [
    "a model's, in a file that is gone, and models have read the rest",
    { files: [B], prior: MODEL },
    GONE_TEXT,
  ],
  [
    "a model's, in a file that is gone, and no model read the new code",
    { files: [editedB()], prior: MODEL },
    "addressed",
  ],
];

function editedB(): ChangedFile {
  return changedFile({ path: "b.py", lines: ["+another()"] });
}

for (const [what, run, expected] of CASES) {
  test(`an earlier finding, ${what}, is ${expected}`, () => assert.equal(settle(run), expected));
}

for (const unreadable of ["too-large", "too-many-files", "filtered", "unreadable"] as const) {
  test(`an earlier finding in a file that can't be read any more (${unreadable}) isn't resolved`, () => {
    const file = changedFile({ path: "a.py", unreadable, addedLines: 90_000 });
    assert.equal(settle({ files: [file, B] }), "addressed");
  });
}
