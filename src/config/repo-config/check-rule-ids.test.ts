import assert from "node:assert/strict";
import { test } from "node:test";
import { ANALYSER_RULE_IDS } from "../../linters/analyser-rule-ids.ts";
import { FLOOR_RULE_IDS } from "../../rules/rule-ids.ts";
import { checkRuleIds } from "./check-rule-ids.ts";
import { noConfig } from "./no-config.ts";
import { parseConfigTree } from "./parse-config.ts";
import { REMOVED_RULE_IDS } from "./removed-rules.ts";

const KNOWN = ["empty-catch", "floating-promise"];

test("unknown rules are reported with their position and the nearest name", () => {
  const tree = parseConfigTree([
    { path: ".kodiai.yml", text: "floor:\n  rules:\n    empty-catch: off\n    emty-catch: off\n" },
    { path: "a/.kodiai.yml", text: "floor: { rules: { zebra: minor } }" },
  ]);
  assert.deepEqual(checkRuleIds(tree, KNOWN), [
    {
      severity: "warning",
      file: ".kodiai.yml",
      line: 4,
      column: 5,
      key: "floor.rules.emty-catch",
      message: 'floor.rules.emty-catch: unknown rule; did you mean "empty-catch"?',
    },
    {
      severity: "warning",
      file: "a/.kodiai.yml",
      line: 1,
      column: 19,
      key: "floor.rules.zebra",
      message: "floor.rules.zebra: unknown rule; the entry has no effect",
    },
  ]);
});

test("a removed rule gets a note, whatever is near", () => {
  const tree = parseConfigTree([{ path: ".kodiai.yml", text: "floor: { rules: { js-timer-call: off } }" }]);
  const [problem] = checkRuleIds(tree, ["js-timer-calls"]);
  assert.equal(problem?.severity, "warning");
  assert.equal(
    problem.message,
    "floor.rules.js-timer-call: Kodiai no longer has this rule; you can delete the entry",
  );
});

test("an id in use isn't a removed one", () => {
  assert.deepEqual(
    [...FLOOR_RULE_IDS, ...ANALYSER_RULE_IDS].filter((id) => REMOVED_RULE_IDS.has(id)),
    [],
  );
});

test("without a configuration there are no unknown rules", () => {
  assert.deepEqual(checkRuleIds(noConfig(), KNOWN), []);
});
