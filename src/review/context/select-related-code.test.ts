import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFile } from "../../../test/support/analysis-fixtures.ts";
import {
  type RelatedCandidate,
  type RelatedTexts,
  selectRelatedCode,
  selectShortFunctions,
  findShownLines,
} from "./select-related-code.ts";

const numbered = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}`);

const TEXTS: RelatedTexts = { linesOf: () => numbered(100), isVisible: () => false };

function candidate(given: Partial<RelatedCandidate>): RelatedCandidate {
  const line = given.line ?? 5;
  return {
    path: "src/a.ts",
    startLine: line - 1,
    endLine: line + 1,
    line,
    reason: "caller",
    changedAt: null,
    about: "price",
    changedPath: "src/price.ts",
    isTest: false,
    ...given,
  };
}

const placesOf = (chosen: ReturnType<typeof selectRelatedCode>): readonly string[] =>
  chosen.map(
    ({ path, startLine, text }) => `${path}:${startLine}-${startLine + text.split("\n").length - 1}`,
  );

test("three callers of each name come first, then tests and types, then the other callers", () => {
  const chosen = selectRelatedCode(
    [
      candidate({ path: "type.ts", reason: "type" }),
      candidate({ path: "test.ts", reason: "test", isTest: true }),
      candidate({ path: "b.ts" }),
      candidate({ path: "a.test.ts", isTest: true }),
      candidate({ path: "c.ts" }),
      candidate({ path: "d.ts" }),
      candidate({ path: "e.ts", about: "other" }),
    ],
    10_000,
    TEXTS,
  );
  assert.deepEqual(
    chosen.map(({ path }) => path),
    ["b.ts", "e.ts", "c.ts", "d.ts", "test.ts", "type.ts", "a.test.ts"],
  );
});

test("the order of the candidates doesn't matter", () => {
  const candidates = [1, 9, 30, 60].map((line) => candidate({ line: line + 5, path: `p${line % 2}.ts` }));
  const once = selectRelatedCode(candidates, 200, TEXTS);
  assert.deepEqual(selectRelatedCode(candidates.toReversed(), 200, TEXTS), once);
});

test("pieces that are visible or taken are left out, and others end where the diff begins", () => {
  const isVisible: RelatedTexts["isVisible"] = (_, line) => line >= 10 && line <= 20;
  const select = (given: readonly Partial<RelatedCandidate>[]) =>
    placesOf(selectRelatedCode(given.map(candidate), 10_000, { ...TEXTS, isVisible }));
  assert.deepEqual(select([{ line: 12 }]), []);
  assert.deepEqual(select([{ line: 8, startLine: 2, endLine: 15 }]), ["src/a.ts:2-9"]);
  assert.deepEqual(select([{ line: 22, startLine: 5, endLine: 25 }]), ["src/a.ts:21-25"]);
  assert.deepEqual(
    select([
      { line: 30, startLine: 28, endLine: 33 },
      { line: 31, startLine: 28, endLine: 33 },
    ]),
    ["src/a.ts:28-33"],
  );
});

test("a piece that is too long is cut around its place, and what still doesn't fit makes room for the next", () => {
  const long = candidate({ line: 50, startLine: 1, endLine: 100 });
  assert.deepEqual(placesOf(selectRelatedCode([long], 100, TEXTS)), ["src/a.ts:47-53"]);
  const wordy: RelatedTexts = {
    ...TEXTS,
    linesOf: (path) => (path === "b.ts" ? numbered(100) : numbered(100).map((line) => line.padEnd(300, "x"))),
  };
  const chosen = selectRelatedCode([long, candidate({ path: "b.ts" })], 60, wordy);
  assert.deepEqual(placesOf(chosen), ["b.ts:4-6"]);
  assert.deepEqual(selectRelatedCode([long], 0, TEXTS), []);
  const endless: RelatedTexts = {
    ...TEXTS,
    linesOf: () => numbered(100).map((line) => line.padEnd(5_000, "x")),
  };
  assert.deepEqual(selectRelatedCode([long], 20_000, endless), []);
});

test("short functions count by the lines that the diff doesn't show", () => {
  const file = changedFile({ path: "src/a.ts", newStart: 10, lines: numbered(10).map((line) => `+${line}`) });
  const partly = { path: "src/a.ts", startLine: 8, lines: numbered(10) };
  const whole = { path: "src/a.ts", startLine: 11, lines: numbered(5) };
  const other = { path: "src/b.ts", startLine: 1, lines: numbered(40) };
  assert.deepEqual(selectShortFunctions([partly, whole, other], [file], 20), [partly]);
  assert.deepEqual(selectShortFunctions([partly, whole, other], [file], 1_000), [partly, other]);
  assert.deepEqual(selectShortFunctions([partly], [file], 0), []);
  const isVisible = findShownLines([file], [partly]);
  assert.deepEqual(
    [7, 8, 10, 19, 20].map((line) => isVisible("src/a.ts", line)),
    [false, true, true, true, false],
  );
  assert.equal(isVisible("src/b.ts", 10), false);
});
