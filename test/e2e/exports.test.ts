/** Changed exports, from a real repository to the findings of the command line, without a model. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { changed, findings } from "../support/export-fixtures.ts";

test("exports: calls and imports that the change leaves behind are found in three languages", async (t) => {
  const { path } = changed(t);
  const found = await findings(path, ["--commit", "HEAD"]);
  const places = found.map(
    (each) => `${each.rule} ${each.path} ${/[\w/]+\.\w+:\d+/.exec(each.body)?.[0] ?? ""}`,
  );
  assert.deepEqual(places.toSorted(), [
    "call-not-adapted src/cart.ts src/shop.ts:3",
    "call-not-adapted store/cart.py store/shop.py:3",
    "removed-export-used cart/cart.go main.go:5",
    "removed-export-used src/cart.ts src/shop.ts:1",
  ]);
});
