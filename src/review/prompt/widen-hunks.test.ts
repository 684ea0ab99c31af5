import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { changedFile } from "../../../test/support/analysis-fixtures.ts";
import type { ChangedFile, Hunk } from "../change/change.ts";
import { walkHunk } from "../change/walk-hunks.ts";
import { UNREAD } from "../change/readings.ts";
import { createGuard } from "../untrusted/create-guard.ts";
import { renderFileDiff } from "./render-file-diff.ts";
import { widenHunks } from "./widen-hunks.ts";

const PATH = "src/cart.ts";

function fileOf(hunks: readonly Hunk[]): ChangedFile {
  return { ...changedFile({ path: PATH, status: "modified", lines: [] }), hunks };
}

const numbered = (first: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `line ${first + index}`);

const HUNK: Hunk = {
  oldStart: 10,
  newStart: 12,
  section: "function before() {",
  lines: [" line 12", "-gone", "+line 13", "+line 14", " line 15"],
};

test("a hunk is shown with the whole of a short function, each line with its number on its own side", () => {
  const { file } = widenHunks(fileOf([HUNK]), [], [{ path: PATH, startLine: 11, lines: numbered(11, 7) }]);
  assert.equal(
    renderFileDiff(file, createGuard("f00d")),
    [
      "=== src/cart.ts (modified)",
      "@@",
      "11 line 11",
      "12 line 12",
      "11-gone",
      "13+line 13",
      "14+line 14",
      "15 line 15",
      "16 line 16",
      "17 line 17",
    ].join("\n"),
  );
});

test("functions of other files, and ones that the hunk only touches, change nothing", () => {
  for (const [path, startLine, count] of [
    ["src/other.ts", 11, 7],
    [PATH, 15, 7],
    [PATH, 5, 8],
  ] as const) {
    const given = fileOf([HUNK]);
    const { file } = widenHunks(given, [], [{ path, startLine, lines: numbered(startLine, count) }]);
    assert.deepEqual(file.hunks, given.hunks, `${path}:${startLine}`);
  }
});

test("two hunks in one function share its lines, and hunks without lines on a side are counted right", () => {
  const first: Hunk = { oldStart: 4, newStart: 3, section: "", lines: ["-gone"] };
  const second: Hunk = { oldStart: 8, newStart: 8, section: "", lines: ["+line 8"] };
  const scopes = [
    { status: "new", readings: [UNREAD] },
    { status: "new", readings: [UNREAD] },
  ] as const;
  const wide = widenHunks(fileOf([first, second]), scopes, [
    { path: PATH, startLine: 2, lines: numbered(2, 8) },
  ]);
  const shown = wide.file.hunks.map((hunk) =>
    walkHunk(hunk).map(({ oldLine, newLine, text }) => [oldLine, newLine, text]),
  );
  assert.deepEqual(shown, [
    [
      [2, 2, "line 2"],
      [3, 3, "line 3"],
      [4, null, "gone"],
      [5, 4, "line 4"],
      [6, 5, "line 5"],
      [7, 6, "line 6"],
      [8, 7, "line 7"],
    ],
    [
      [null, 8, "line 8"],
      [9, 9, "line 9"],
    ],
  ]);
  assert.deepEqual(
    wide.scopes.map(({ readings }) => readings.length),
    [7, 2],
  );
});

test("changed lines, their numbers and the number of hunks stay the same", () => {
  const gaps = fc.array(
    fc.record({
      gap: fc.integer({ min: 1, max: 8 }),
      kinds: fc.array(fc.constantFrom("+", "-", " "), { minLength: 1, maxLength: 6 }),
    }),
    { minLength: 1, maxLength: 5 },
  );
  const ranges = fc.array(
    fc.record({ startLine: fc.integer({ min: 1, max: 60 }), count: fc.integer({ min: 1, max: 20 }) }),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(gaps, ranges, (made, functions) => {
      const hunks: Hunk[] = [];
      let [oldLine, newLine] = [1, 1];
      for (const { gap, kinds } of made) {
        oldLine += gap;
        newLine += gap;
        const [oldStart, newStart] = [oldLine, newLine];
        const lines = kinds.map((kind) => {
          if (kind !== "+") oldLine++;
          return kind === "-" ? "-gone" : `${kind}line ${newLine++}`;
        });
        const hasOld = kinds.some((kind) => kind !== "+");
        const hasNew = kinds.some((kind) => kind !== "-");
        hunks.push({
          oldStart: hasOld ? oldStart : oldStart - 1,
          newStart: hasNew ? newStart : newStart - 1,
          section: "",
          lines,
        });
      }
      const { file } = widenHunks(
        fileOf(hunks),
        [],
        functions.map(({ startLine, count }) => ({
          path: PATH,
          startLine,
          lines: numbered(startLine, count),
        })),
      );
      const changedOf = (all: readonly Hunk[]) =>
        all.map((hunk) => walkHunk(hunk).filter(({ kind }) => kind !== "context"));
      assert.deepEqual(changedOf(file.hunks), changedOf(hunks));
      const shown = file.hunks.flatMap((hunk) => walkHunk(hunk));
      const numbers = shown.flatMap(({ newLine: line }) => line ?? []);
      assert.deepEqual(
        numbers,
        [...new Set(numbers)].toSorted((a, b) => a - b),
      );
      for (const { text, newLine: line } of shown) if (line !== null) assert.equal(text, `line ${line}`);
      const olds = shown.flatMap(({ oldLine: line }) => line ?? []);
      assert.deepEqual(
        olds,
        [...new Set(olds)].toSorted((a, b) => a - b),
      );
    }),
  );
});
