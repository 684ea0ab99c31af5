import assert from "node:assert/strict";
import { test } from "node:test";
import { findingOf } from "../../../test/support/findings-fixtures.ts";
import type { Finding } from "./finding.ts";
import { isSame } from "./identify-findings.ts";
import { topicOf } from "./topic-of.ts";

const ours: Partial<Finding> = {
  source: "floor",
  rule: "sql-from-strings",
  category: "security",
  title: "Possible SQL injection: `id` is interpolated into the query",
};
const theirs: Partial<Finding> = {
  source: "sarif",
  rule: "codeql/js/sql-injection",
  category: "correctness",
  title: "Database query built from user-controlled sources",
};
const placed = (given: Partial<Finding>) => ({ finding: findingOf(given), anchor: null });

test("two tools on one place with one topic report the same", () => {
  assert.ok(isSame(placed(ours), placed(theirs)));
  assert.ok(!isSame(placed(ours), placed({ ...theirs, path: "src/b.ts" })));
  assert.ok(!isSame(placed(ours), placed({ ...theirs, rule: "codeql/js/redos", title: "Slow expression" })));
});

test("a model's finding on the same topic is the same only if it means the same", () => {
  const model = {
    source: "model",
    pass: "again",
    title: "An attacker controls this SQL",
    category: "correctness",
  } as const;
  assert.ok(isSame(placed(ours), placed(model)));
  const other = { title: "Query misses an index", body: "Filtering by the owner scans the whole table." };
  assert.ok(!isSame(placed(ours), placed({ ...model, ...other })));
});

test("a secret is a secret whatever the tool calls it", () => {
  const found = [{ rule: "gitleaks/stripe-token", isSecret: true }, { rule: "secret-in-code" }];
  assert.deepEqual(
    found.map((each) => topicOf(findingOf(each))),
    ["secret", "secret"],
  );
  assert.equal(topicOf(findingOf({ title: "Rename this" })), null);
});

test("two rules about one mistake report the same, and about two mistakes don't", () => {
  for (const [one, other] of [
    ["oxlint/no-cond-assign", "oxlint/no-constant-condition"],
    ["shell-rm-unguarded", "shellcheck/SC2086"],
  ] as const) {
    const of = (rule: string) => placed({ source: "analyser", rule, title: rule });
    assert.ok(isSame(of(one), of(other)), `${one} and ${other}`);
  }
  assert.equal(topicOf(findingOf({ rule: "shell-lost-status", title: "A status is lost" })), null);
});
