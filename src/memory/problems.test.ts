import assert from "node:assert/strict";
import { test } from "node:test";
import type { FeedbackOnFinding } from "./feedback.ts";
import { explainRejection, isReason } from "./explain-rejection.ts";
import { patternOf } from "./pattern-of.ts";
import { findProblems, isSameProblem, type Problem } from "./problems.ts";

const NOW = 1_000_000_000_000;
const REASON = "the schema rejects empty orders";

function problem(title: string, more: Partial<Problem> = {}): Problem {
  return { title, body: "", path: "src/orders.ts", category: "correctness", rule: null, ...more };
}

function rejected(on: Problem, more: Partial<FeedbackOnFinding> = {}): FeedbackOnFinding {
  const { title, body, path, category } = on;
  return {
    pullRequest: 1,
    identity: "one",
    pattern: patternOf(on),
    title,
    signal: "thumbs-down",
    person: "ben",
    teaches: true,
    reason: "write-access",
    words: REASON,
    url: null,
    at: NOW - 1,
    about: { path, body, category },
    ...more,
  };
}

const IN_PARSE = problem("Missing null check in `parseOrder`", { body: "parseOrder reads items of null." });

test("the same words about other code are one kind of problem, and not one problem", () => {
  const { patternFor } = findProblems([rejected(IN_PARSE)]);
  const pattern = patternOf(IN_PARSE);
  const recognized = (title: string, body = "") => {
    const { isCertain, isSameKind, ...found } = patternFor(problem(title, { body, path: "src/cards.ts" }));
    return [found.pattern === pattern, isCertain, isSameKind];
  };
  assert.deepEqual(recognized("Missing null check in `parseOrder`"), [true, true, true]);
  assert.deepEqual(recognized("Missing null check in `chargeCard`"), [true, false, true]);
  const mentioning = "It gets the result of parseOrder, which may be null.";
  assert.deepEqual(recognized("Missing null check in `chargeCard`", mentioning), [true, true, true]);
  const remembered = (title: string) => ({ ...problem(title), pattern });
  assert.equal(isSameProblem(remembered("Missing null check in `a1`"), remembered(IN_PARSE.title)), false);
  assert.equal(isSameProblem(remembered(IN_PARSE.title), remembered(IN_PARSE.title)), true);
});

test("titles of code alone have patterns of their own", () => {
  const [one, other] = ["`charge()`", "`refund()`"].map((title) => patternOf(problem(title)));
  assert.notEqual(one, other);
  assert.equal(one, "title:correctness:charge");
});

test("nothing that is said about a security finding is a reason, also after its memory is gone", () => {
  const security = problem("SQL injection in `find`", { category: "security" });
  const rule = { ...IN_PARSE, rule: "sql-from-strings" };
  for (const [what, row, isExplained] of [
    ["another category", rejected(IN_PARSE), true],
    ["another category, not remembered", rejected(IN_PARSE, { about: null }), true],
    ["security", rejected(security), false],
    ["security, not remembered", rejected(security, { about: null }), false],
    ["a rule", rejected(rule), true],
    ["a rule's finding of security", rejected({ ...rule, category: "security" }), false],
    ["a rule, not remembered", rejected(rule, { about: null }), false],
  ] as const)
    assert.equal(explainRejection([row], NOW) !== null, isExplained, what);
});

test("questions and single words explain nothing", () => {
  for (const words of [
    "",
    "false positive",
    "What would you suggest instead?",
    "Why? Why not? Is it worth it?",
  ])
    assert.equal(isReason(words), false, words);
  for (const words of [REASON, "Why? The caller holds the lock.", "We want this to fail loudly"])
    assert.equal(isReason(words), true, words);
});
