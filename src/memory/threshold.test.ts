import assert from "node:assert/strict";
import { test } from "node:test";
import { thresholdOf } from "./threshold.ts";

type Row = readonly [
  expected: number,
  base: number,
  memories: number,
  languages: readonly string[],
  isShared: boolean,
];

const ROWS: readonly Row[] = [
  [0.3, 0.3, 100, ["go"], false],
  [0.39, 0.3, 49, ["go"], false],
  [0.3, 0.3, 50, ["go"], false],
  [0.3, 0.3, 200, ["go"], false],
  [0.24, 0.3, 201, ["go"], false],
  [0.27, 0.3, 100, ["cpp"], false],
  [0.27, 0.3, 100, ["c", "cpp"], false],
  [0.33, 0.3, 100, [], false],
  [0.33, 0.3, 100, ["unknown"], false],
  [0.33, 0.3, 100, ["go", "python"], false],
  [0.33, 0.3, 100, ["c", "python"], false],
  [0.3, 0.3, 100, ["typescript", "tsx", "javascript"], false],
  [0.255, 0.3, 100, ["go"], true],
  [0.1, 0, 100, ["go"], false],
  [0.5, 2, 100, ["go"], false],
];

for (const [expected, base, memories, languages, isShared] of ROWS)
  test(`threshold ${expected}: ${base}, ${memories} memories, [${languages.join()}]${isShared ? ", shared" : ""}`, () => {
    const threshold = thresholdOf({ base, isAdaptive: true, memories, languages, isShared });
    assert.ok(Math.abs(threshold - expected) < 1e-9, String(threshold));
  });

test("a fixed threshold is used as configured", () => {
  const facts = { base: 1.7, isAdaptive: false, memories: 1, languages: [], isShared: true };
  assert.equal(thresholdOf(facts), 1.7);
});
