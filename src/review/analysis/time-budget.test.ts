import assert from "node:assert/strict";
import { test } from "node:test";
import { timeBudgetSeconds } from "./time-budget.ts";

/** `large` is more than 500 lines, more than 20 files, or triaged. */
const BUDGETS: readonly [
  base: number,
  bump: boolean,
  files: number,
  lines: number,
  large: boolean,
  seconds: number,
][] = [
  [600, false, 1, 1, false, 600],
  [600, false, 10, 500, false, 600],
  [600, false, 10, 500, true, 600],
  [600, false, 15, 400, false, 600],
  [600, false, 10, 501, true, 900],
  [600, false, 21, 100, true, 900],
  [400, false, 21, 100, true, 600],
  [401, false, 21, 100, true, 602],
  [800, false, 21, 100, true, 900],
  [900, false, 21, 100, true, 900],
  [1_200, false, 21, 100, true, 1_200],
  [600, true, 1, 1, false, 300],
  [600, true, 99, 9_999, true, 300],
  [120, true, 1, 1, false, 120],
];

test("the budget follows the size of the change", () => {
  for (const [baseSeconds, isDependencyBump, files, lines, isLarge, seconds] of BUDGETS) {
    const facts = { baseSeconds, isDependencyBump, files, lines, isLarge };
    assert.equal(timeBudgetSeconds(facts), seconds, JSON.stringify(facts));
  }
});
