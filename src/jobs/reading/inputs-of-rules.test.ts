/** The lists are kept by hand, so this test runs every rule over its examples and records what it reads. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readExamples } from "../../../test/support/rule-examples.ts";
import { runRule } from "../../../test/support/run-rule.ts";
import type { ChangeRule, ChangeView, FloorRule } from "../../rules/rule.ts";
import { ALL_RULES } from "../../rules/all-rules.ts";
import {
  ADVISORY_RULES,
  DEPENDENCY_RULES,
  EXPORT_RULES,
  LISTING_RULES,
  REGISTRY_RULES,
  TRANSLATION_RULES,
} from "./inputs-of-rules.ts";

type Input = Extract<keyof ChangeView, "repositoryPaths" | "dependencies" | "brokenExports" | "translations">;

const INPUTS: Readonly<Record<Input, readonly string[]>> = {
  repositoryPaths: LISTING_RULES,
  brokenExports: EXPORT_RULES,
  translations: TRANSLATION_RULES,
  dependencies: DEPENDENCY_RULES,
};

/** The properties of the change that a rule reads in any of its examples. */
function readsOf(rule: FloorRule): ReadonlySet<string> {
  const reads = new Set<string>();
  if (rule.kind !== "change") return reads;
  const watching: ChangeRule = {
    ...rule,
    check: (view) =>
      rule.check(
        new Proxy(view, {
          get(target, property, receiver) {
            reads.add(String(property));
            return Reflect.get(target, property, receiver);
          },
        }),
      ),
  };
  const { bad, good } = readExamples(rule.id);
  for (const example of [...bad, ...good]) runRule(watching, example);
  return reads;
}

const reads = new Map(ALL_RULES.map((rule) => [rule.id, readsOf(rule)]));

for (const [input, listed] of Object.entries(INPUTS)) {
  test(`the rules that read ${input} are those in the list`, () => {
    const reading = [...reads].filter(([, names]) => names.has(input)).map(([id]) => id);
    assert.deepEqual(reading.toSorted(), listed.toSorted());
  });
}

test("the rules that need a look-up are rules about dependencies", () => {
  for (const id of [...ADVISORY_RULES, ...REGISTRY_RULES])
    assert.ok(new Set<string>(DEPENDENCY_RULES).has(id), id);
});
