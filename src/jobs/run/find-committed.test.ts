import assert from "node:assert/strict";
import { test } from "node:test";
import type { PriorReview } from "../../review/context/prior-review.ts";
import { findCommitted } from "./find-committed.ts";

/** A finding on lines 2 and 3 of a file whose second hunk line is given. */
function left(state: string, lines: readonly string[]): PriorReview {
  const hunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: lines.length, header: "", lines };
  const finding = { identity: "one", path: "a.ts", side: "new", startLine: 2, endLine: 3, state };
  // Only what the function reads.
  return {
    runs: [{ files: [{ path: "a.ts", hunks: [hunk] }] }],
    findings: [finding],
  } as unknown as PriorReview;
}

test("a suggestion is committed if the finding is gone and the lines at its place are exactly the suggested ones", () => {
  const suggestions = new Map([["one", "  two();\r\n  three();\n"]]);
  const lines = [" one();", "-  old();", "+  two();", "+  three();", " four();"];
  for (const [name, review, expected] of [
    ["exactly", left("verified", lines), ["one"]],
    ["still open", left("open", lines), []],
    ["other lines", left("verified", lines.with(3, "+  third();")), []],
  ] as const)
    assert.deepEqual(findCommitted(suggestions, review), expected, name);
  assert.deepEqual(findCommitted(new Map(), left("verified", lines)), []);
});
