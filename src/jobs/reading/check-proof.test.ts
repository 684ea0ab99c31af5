import assert from "node:assert/strict";
import { test } from "node:test";
import {
  analysisOf,
  changedFile,
  changeOf,
  configOf,
  configTreeOf,
} from "../../../test/support/analysis-fixtures.ts";
import { priorFinding } from "../../../test/support/prior-fixtures.ts";
import { READ_ALL, sampleReviewed } from "../../../test/support/sample-publication.ts";
import type { ChangedFile } from "../../review/change/change.ts";
import type { PriorFinding } from "../../review/context/prior-review.ts";
import type { CheckGap } from "../../review/findings/check-gap.ts";
import type { SarifReport } from "../../review/findings/sarif-report.ts";
import type { AnalyserReport } from "../../linters/analyser-report.ts";
import type { Reviewed } from "../../review/publication/reviewed.ts";
import { proofOf } from "./check-proof.ts";

const A = changedFile({ path: "a.py", lines: ["+first()", "+broken()"] });

type Run = {
  readonly files?: readonly ChangedFile[];
  readonly reviewed?: Partial<Reviewed>;
  readonly gaps?: readonly CheckGap[];
  readonly sarif?: readonly SarifReport[];
  readonly finding?: Partial<PriorFinding>;
  readonly config?: unknown;
};

function preparedWith({ files = [A], config = {} }: Run) {
  const tree = configTreeOf(configOf(config));
  const change = changeOf(files);
  return {
    change,
    analysis: analysisOf(change, tree),
    config: { tree, origin: "defaults", problems: [], learnings: [] },
  };
}

function proof(run: Run = {}) {
  const { gaps = [], sarif = [], reviewed } = run;
  return proofOf(preparedWith(run), {
    ...sampleReviewed({ coverage: { ...READ_ALL, gaps }, sarif }),
    rules: new Set(["broken-call", "secret-in-code"]),
    rulesForAll: new Set(["secret-in-code"]),
    ...reviewed,
  });
}

/** Whether silence about a finding of "broken-call" in a.py proves that it is gone. */
function isProof(run: Run): boolean {
  const finding = priorFinding({ path: "a.py", rule: "broken-call", ...run.finding });
  return proof(run).couldFindAgain(finding, finding.path);
}

function gap(more: Partial<CheckGap>): CheckGap {
  return { check: "a check", reason: "failed", detail: null, paths: null, rules: ["broken-call"], ...more };
}

const RUFF = { source: "analyser", rule: "ruff/F821" } as const;
const RAN: AnalyserReport = {
  name: "ruff",
  version: "1",
  package: "ruff",
  files: 1,
  findings: 0,
  ms: 1,
  gaps: [],
};

const SARIF = { source: "sarif", rule: "Semgrep/broken" } as const;
const REPORT: SarifReport = {
  file: "semgrep.sarif",
  tools: [{ name: "semgrep", version: null }],
  results: 0,
  findings: [],
  skipped: { unchanged: 0, unmapped: 0, withoutLine: 0, passed: 0, known: 0, repeated: 0, overLimit: 0 },
};

const CASES: readonly (readonly [what: string, run: Run, expected: boolean])[] = [
  ["a rule that ran on the file", {}, true],
  ["a rule that is off", { reviewed: { rules: new Set() } }, false],
  [
    "a rule in a file that the rules didn't finish",
    { reviewed: { coverage: { ...READ_ALL, unreadPaths: new Map([["a.py", "limit:time"]]) } } },
    false,
  ],
  [
    "a rule, when the rules didn't finish another file",
    { reviewed: { coverage: { ...READ_ALL, unreadPaths: new Map([["b.py", "limit:time"]]) } } },
    true,
  ],
  [
    "a rule in a file for which the configuration turns it off",
    { config: { floor: { rules: { "broken-call": "off" } } } },
    false,
  ],
  ["a rule, where the configuration turns all off", { config: { floor: { enabled: false } } }, false],
  [
    "a linter that the configuration turns off",
    { finding: RUFF, reviewed: { analysers: [RAN] }, config: { analysers: { ruff: "off" } } },
    false,
  ],
  [
    "a linter's rule that the configuration ignores",
    { finding: RUFF, reviewed: { analysers: [RAN] }, config: { analysers: { ruff: { ignore: ["F821"] } } } },
    false,
  ],
  ["a rule that lacked its input", { gaps: [gap({})] }, false],
  ["a rule that lacked its input for the file", { gaps: [gap({ paths: ["a.py"] })] }, false],
  ["a rule that lacked its input for another file", { gaps: [gap({ paths: ["b.py"] })] }, true],
  ["a rule whose input a person turned off", { gaps: [gap({ reason: "off" })] }, false],
  ["a rule, when another one lacked its input", { gaps: [gap({ rules: ["other"] })] }, true],
  ["a linter that ran on the file", { finding: RUFF, reviewed: { analysers: [RAN] } }, true],
  ["a linter that wasn't started", { finding: RUFF }, false],
  [
    "a linter that failed on the file",
    { finding: RUFF, reviewed: { analysers: [RAN] }, gaps: [gap({ paths: ["a.py"], rules: ["ruff/"] })] },
    false,
  ],
  [
    "a linter that failed on another file",
    { finding: RUFF, reviewed: { analysers: [RAN] }, gaps: [gap({ paths: ["b.py"], rules: ["ruff/"] })] },
    true,
  ],
  ["another tool whose results were passed again", { finding: SARIF, sarif: [REPORT] }, true],
  ["another tool whose results weren't passed again", { finding: SARIF }, false],
  [
    "another tool, with the results of yet another",
    { finding: { ...SARIF, rule: "codeql/x" }, sarif: [REPORT] },
    false,
  ],
  ["a finding without a rule", { finding: { rule: null } }, false],
];

for (const [what, run, expected] of CASES) {
  test(`the silence of ${what} proves ${expected ? "that its finding is gone" : "nothing"}`, () =>
    assert.equal(isProof(run), expected));
}

test("in a generated file, only the silence of rules that check such files proves anything", () => {
  const header = changedFile({ path: "a.py", lines: ["+# Code generated by x. DO NOT EDIT.", "+first()"] });
  assert.equal(isProof({ files: [header] }), false);
  assert.equal(isProof({ files: [header], finding: { rule: "secret-in-code" } }), true);
  assert.equal(isProof({ files: [A], config: { review: { skipPaths: ["a.py"] } } }), false);
});

for (const unreadable of ["too-large", "too-many-files", "filtered", "unreadable"] as const) {
  test(`silence proves nothing in a file, or a folder, that isn't read (${unreadable})`, () => {
    const unseen = (path: string) => changedFile({ path, unreadable, addedLines: 90_000 });
    assert.equal(isProof({ files: [unseen("a.py")] }), false);
    const inFolder = { finding: { path: "pkg/deep/a.py" } };
    assert.equal(isProof({ files: [unseen("pkg")], ...inFolder }), false);
    assert.equal(isProof({ files: [unseen("pkg/")], ...inFolder }), false);
    assert.equal(isProof({ files: [unseen("package")], ...inFolder }), true);
    for (const finding of [RUFF, SARIF])
      assert.equal(isProof({ files: [unseen("a.py")], finding, sarif: [REPORT] }), false);
  });
}

for (const unreadable of ["binary", "mode-only", "submodule", "symlink"] as const) {
  test(`a file without text (${unreadable}) was read: it has nothing to find`, () =>
    assert.equal(isProof({ files: [changedFile({ path: "a.py", unreadable })] }), true));
}

test("a path may be part of the change when a limit hides it, or its folder", () => {
  const { isUnseen } = proof({ files: [changedFile({ path: "pkg", unreadable: "too-many-files" }), A] });
  assert.deepEqual(["pkg/deep/a.py", "pkg", "a.py", "other.py"].map(isUnseen), [true, true, false, false]);
});

test("a comment that ignores a rule counts on the line above, on the new side", () => {
  const ignoring = changedFile({
    path: "a.py",
    status: "modified",
    lines: [" first()", "-old()", "+# kodiai-ignore-next-line broken-call -- a demo", "+broken()"],
    newStart: 5,
  });
  const { ignoreReasonAt } = proof();
  assert.equal(ignoreReasonAt(ignoring, 7, "broken-call"), "a demo");
  assert.equal(ignoreReasonAt(ignoring, 6, "broken-call"), null);
  assert.equal(ignoreReasonAt(ignoring, 7, "other-rule"), null);
  // The line above isn't in the diff.
  assert.equal(ignoreReasonAt(ignoring, 5, "broken-call"), null);
});

test("answers of models are handed on", () => {
  const answers = new Map([[3, { verdict: "fixed" } as const]]);
  assert.equal(proof({ reviewed: { answers } }).answers, answers);
});
