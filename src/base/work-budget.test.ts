import assert from "node:assert/strict";
import { test } from "node:test";
import { createWorkBudget } from "./work-budget.ts";

test("a budget counts CPU time, and the clock only ends what hangs", () => {
  let now = 5;
  const budget = createWorkBudget(1_000, () => now);
  now += 9_999;
  assert.equal(budget.leftMs(), 1_000);
  budget.spend(400.5);
  assert.equal(budget.leftMs(), 600);
  budget.spend(700);
  assert.equal(budget.leftMs(), 0);
  const hanging = createWorkBudget(1_000, () => now);
  now += 10_000;
  assert.equal(hanging.leftMs(), 0);
});
