import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFile, changeOf, fileAnalysis } from "../../../test/support/analysis-fixtures.ts";
import type { ChangedFile } from "../change/change.ts";
import type { FileAnalysis, Scale } from "./analysis.ts";
import { measureScale } from "./scale.ts";

function measure(
  files: readonly ChangedFile[],
  given: Partial<FileAnalysis> = {},
  isReadBefore = (_path: string): boolean => false,
): Scale {
  const analyses = files.map(({ path }) => fileAnalysis({ path, ...given }));
  return measureScale(changeOf(files), analyses, isReadBefore);
}

function files(count: number, given: Partial<ChangedFile> = {}): readonly ChangedFile[] {
  return Array.from({ length: count }, (_, index) =>
    changedFile({ path: `${index}`, lines: ["+a"], ...given }),
  );
}

const SCALES: readonly [what: string, scale: Scale, expected: string][] = [
  ["empty", measure([]), "0 files +0 -0"],
  ["20 files", measure(files(20)), "20 files +20 -0"],
  ["21 files", measure(files(21)), "21 files +21 -0 large"],
  ["500 lines", measure(files(1, { addedLines: 300, removedLines: 200 })), "1 files +300 -200"],
  ["501 lines", measure(files(1, { addedLines: 300, removedLines: 201 })), "1 files +300 -201 large"],
  ["all in full", measure(files(60)), "60 files +60 -0 large"],
  ["abbreviated", measure(files(60), { tier: "abbreviated" }), "60 files +60 -0 large triaged"],
  ["mentioned", measure(files(60), { tier: "mentioned" }), "60 files +60 -0 large triaged"],
  ["read before", measure(files(60), { tier: "mentioned" }, () => true), "60 files +60 -0 large"],
  ["without hunks", measure(files(60, { hunks: [] }), { tier: "mentioned" }), "60 files +60 -0 large"],
  ["marked", measure(files(99), { mark: "lockfile" }), "0 files +0 -0"],
  ["skipped", measure(files(99), { isSkipped: true }), "0 files +0 -0"],
];

test("the scale counts reviewable files and lines", () => {
  for (const [what, scale, expected] of SCALES) {
    const flags = `${scale.isLarge ? " large" : ""}${scale.isTriaged ? " triaged" : ""}`;
    assert.equal(`${scale.files} files +${scale.addedLines} -${scale.removedLines}${flags}`, expected, what);
  }
});
