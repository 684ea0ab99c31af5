import assert from "node:assert/strict";
import { test } from "node:test";
import type { CheckGap } from "./check-gap.ts";
import { isGapIncomplete, isUnchecked, mergeGaps } from "./checks.ts";

function gap(more: Partial<CheckGap> = {}): CheckGap {
  return { check: "ruff", reason: "failed", detail: null, paths: ["a.py"], rules: ["ruff/"], ...more };
}

test("only what a person switched off leaves a review complete", () => {
  const reasons = ["off", "not-installed", "limit", "failed"] as const;
  assert.deepEqual(
    reasons.filter((reason) => isGapIncomplete(gap({ reason }))),
    ["not-installed", "limit", "failed"],
  );
});

const UNCHECKED: readonly (readonly [
  what: string,
  gap: CheckGap,
  rule: string,
  path: string,
  expected: boolean,
])[] = [
  ["a rule of the tool, in its file", gap(), "ruff/F821", "a.py", true],
  ["a rule of the tool, in another file", gap(), "ruff/F821", "b.py", false],
  ["a rule of another tool", gap(), "oxlint/no-x", "a.py", false],
  ["a rule whose id begins like the tool", gap(), "ruffian", "a.py", false],
  ["the whole change", gap({ paths: null }), "ruff/F821", "b.py", true],
  ["a rule by its id", gap({ rules: ["broken-link"] }), "broken-link", "a.py", true],
  ["a rule whose id begins with that id", gap({ rules: ["broken-link"] }), "broken-links", "a.py", false],
  ["no rules", gap({ rules: [] }), "broken-link", "a.py", false],
];

for (const [what, missed, rule, path, expected] of UNCHECKED) {
  test(`a gap for ${what}: ${rule} in ${path} is ${expected ? "unchecked" : "checked"}`, () => {
    assert.equal(isUnchecked(rule, path, [missed]), expected);
    assert.equal(isUnchecked(rule, path, [gap({ rules: ["other"] }), missed]), expected);
    // A check that a person switched off proves nothing either.
    assert.equal(isUnchecked(rule, path, [{ ...missed, reason: "off" }]), expected);
  });
}

test("without gaps everything is checked", () => assert.equal(isUnchecked("ruff/F821", "a.py", []), false));

test("gaps of the same check and reason become one, with each file and rule once", () => {
  const merged = mergeGaps([
    gap({ paths: ["a.py", "b.py"], rules: ["one"] }),
    gap({ paths: ["b.py", "c.py"], rules: ["one", "two"] }),
    gap({ paths: null }),
    gap({ reason: "limit" }),
    gap({ detail: "it crashed" }),
    gap({ check: "oxlint" }),
  ]);
  assert.deepEqual(merged, [
    gap({ paths: ["a.py", "b.py", "c.py"], rules: ["one", "two"] }),
    gap({ paths: null }),
    gap({ reason: "limit" }),
    gap({ detail: "it crashed" }),
    gap({ check: "oxlint" }),
  ]);
  assert.deepEqual(mergeGaps([]), []);
});
