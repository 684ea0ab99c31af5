import assert from "node:assert/strict";
import { test } from "node:test";
import { asksToRemoveTests } from "./asks-to-remove-tests.ts";

const ASKS = [
  "remove the tests",
  "Please delete the obsolete tests of `useLegacy`",
  "remove `useLegacy` and its tests",
  "merge the two test cases of `load`",
  "combine these tests into one table",
  "First rename it. Then drop the flaky unit tests.",
];

const DOES_NOT = [
  "fix the tests",
  "remove the flag and adapt its tests",
  "don't remove the tests",
  "Simplify it without having to delete tests",
  "remove the testing library",
  "remove the test-only flag",
  "add tests; the old ones were removed",
  "removing the tests is wrong",
  "",
];

for (const words of ASKS) test(`asks: ${words}`, () => assert.ok(asksToRemoveTests(words)));
for (const words of DOES_NOT) test(`doesn't ask: ${words}`, () => assert.ok(!asksToRemoveTests(words)));
