import assert from "node:assert/strict";
import { test } from "node:test";
import { planReconcile, RECONCILE_EVERY_MS } from "./reconcile.ts";

test("servers that start within one period ask for one reconciler, the next period for another", () => {
  const start = 7 * RECONCILE_EVERY_MS;
  assert.equal(planReconcile(start).key, planReconcile(start + RECONCILE_EVERY_MS - 1).key);
  assert.notEqual(planReconcile(start).key, planReconcile(start + RECONCILE_EVERY_MS).key);
});
