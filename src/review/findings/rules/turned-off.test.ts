import assert from "node:assert/strict";
import { test } from "node:test";
import { configOf, configTreeOf } from "../../../../test/support/analysis-fixtures.ts";
import { whyTurnedOff } from "./turned-off.ts";

const CASES: readonly (readonly [rule: string, source: string, config: unknown, why: string | null])[] = [
  ["empty-catch", "floor", {}, null],
  ["empty-catch", "floor", { floor: { rules: { "empty-catch": "off" } } }, "floor.rules: empty-catch is off"],
  ["js-timer-call", "floor", {}, "Kodiai no longer has this rule"],
  // Another tool may have a rule of that name.
  ["js-timer-call", "sarif", {}, null],
  ["ruff/F821", "analyser", { analysers: { ruff: "off" } }, "analysers: ruff is off"],
];

for (const [rule, source, config, why] of CASES)
  test(`an earlier finding of ${rule} (${source}): ${why ?? "its rule runs"}`, () => {
    assert.equal(whyTurnedOff({ rule, source, path: "a.js" }, configTreeOf(configOf(config))), why);
  });
