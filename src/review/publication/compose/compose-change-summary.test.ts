import assert from "node:assert/strict";
import { test } from "node:test";
import { analysisOf, changedFile, changeOf, commitOf } from "../../../../test/support/analysis-fixtures.ts";
import { composeChangeSummary, type SummarizedFinding } from "./compose-change-summary.ts";

const summaryOf = (
  files: Parameters<typeof changeOf>[0],
  findings: readonly SummarizedFinding[] = [],
): string => {
  const change = changeOf(files, { title: "feat!: tokens", commits: [commitOf("one"), commitOf("two")] });
  return composeChangeSummary({ change, analysis: analysisOf(change), findings });
};

test("a change is summarized by its size, kinds, risks and findings, the largest files first", () => {
  const files = [
    changedFile({ path: "src/a.ts", lines: ["+export const a = 1;"] }),
    changedFile({ path: "src/auth/login.ts", status: "modified", lines: ["-one", "+two", "+three"] }),
  ];
  const findings = [
    { severity: "major", state: "open" },
    { severity: "critical", state: "contested" },
    { severity: "major", state: "verified" },
    { severity: "minor", state: "waived" },
  ];
  const lines = summaryOf(files, findings).split("\n");
  assert.deepEqual(lines, [
    "**2 files, +3 −1 lines, 2 commits.**",
    "",
    "- 2 files to read, 4 changed lines: source (TypeScript).",
    "- Adds `a`.",
    "- Needs attention: touches authentication or authorization (`src/auth/login.ts`).",
    "- Announced as a breaking change",
    "- Findings: 1 open (1 major), 2 dismissed or accepted, 1 settled",
    "",
    "- `src/auth/login.ts` (modified, +2 −1)",
    "- `src/a.ts` (added, +1 −0)",
  ]);
});

test("a summary is bounded, and hostile names stay text", () => {
  const files = Array.from({ length: 500 }, (_, index) =>
    changedFile({ path: `src/${index}\`@ada <b>.ts`, lines: ["+1"] }),
  );
  const text = summaryOf(files);
  assert.match(text, /- … and 490 more files$/);
  assert.ok(text.length < 2_000);
  assert.doesNotMatch(text.replaceAll(/``+ .*? ``+/g, ""), /@ada|<b>/);
});

test("a change without files has no summary", () => {
  assert.match(summaryOf([]), /no change to summarize/);
});
