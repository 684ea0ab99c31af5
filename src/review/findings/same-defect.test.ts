import assert from "node:assert/strict";
import { test } from "node:test";
import { findingOf } from "../../../test/support/findings-fixtures.ts";
import type { Finding } from "./finding.ts";
import { isSameDefect } from "./same-defect.ts";

type Text = readonly [title: string, body: string];

/** A built-in rule's text, a model's text about the same defect, and one about another defect on the same line. */
const RULE_AND_MODEL: readonly (readonly [rule: string, text: Text, same: Text, other: Text])[] = [
  [
    "empty-catch",
    [
      "Empty catch block swallows the error",
      "If this code fails, the program continues as if it had succeeded and leaves no trace of the error. Handle the error, log it, or let it propagate.",
    ],
    [
      "A failed payment is silently ignored",
      "If `charge` throws, nothing is logged and the order is marked as paid. Rethrow or record the failure.",
    ],
    [
      "`charge` runs twice for retried jobs",
      "There is no idempotency key, so customers can be billed twice.",
    ],
  ],
  [
    "html-from-input",
    [
      "Cross-site scripting: outside input is inserted as HTML",
      "A crafted link or form can put a script into this value, which then runs in the session of the user who opens it.",
    ],
    ["Stored XSS via the comment", "The body is assigned to innerHTML, so a user can inject a script tag."],
    ["Comments flicker on each update", "The whole list is rebuilt for every new comment."],
  ],
  [
    "go-body-not-closed",
    [
      "Resource leak: an HTTP response body is never closed",
      "An open body keeps its connection, so each request leaks one and the process runs out of connections.",
    ],
    ["Connection leak in `fetch`", "`resp.Body` stays open on this path. Defer a close."],
    ["Error pages count as success", "The status code isn't checked, so an error page is decoded as JSON."],
  ],
  [
    "weak-random-secret",
    [
      "Insecure randomness: a secret uses a predictable generator",
      "An attacker who sees a few values can predict the next ones, including other users' tokens.",
    ],
    ["Reset tokens are predictable", "`Math.random()` isn't secure; an attacker can guess the next token."],
    ["Reset tokens never expire", "A mail that leaks can be used months later; store an end date."],
  ],
];

for (const [rule, text, same, other] of RULE_AND_MODEL)
  test(`a model's words for ${rule} are the same defect, and another defect on its line isn't`, () => {
    const [title, body] = text;
    const byRule = findingOf({ source: "floor", rule, title, body });
    const byModel = ([name, why]: Text) => findingOf({ title: name, body: why });
    assert.ok(isSameDefect(byRule, byModel(same), "same-lines"));
    assert.ok(isSameDefect(byModel(same), byRule, "same-lines"));
    assert.ok(!isSameDefect(byRule, byModel(other), "same-lines"));
    assert.ok(!isSameDefect(byModel(same), byModel(other), "same-lines"));
  });

const AWAIT: Partial<Finding> = {
  title: "The promise of `save` is not awaited",
  body: "A failing write is never noticed.",
  quote: "save(user);",
  suggestion: "await save(user);",
};

const PAIRS: readonly (readonly [what: string, other: Partial<Finding>, isSame: boolean])[] = [
  ["in another category", { category: "reliability" }, true],
  ["of another name", { title: "The promise of `load` is not awaited" }, false],
  ["with the same fix and more", { suggestion: "await save(user, options);" }, true],
  ["with another fix", { suggestion: "save(user).catch(report);" }, false],
  ["without a fix", { suggestion: null }, true],
  ["with the same title and no common word in its text", { body: "Orders vanish." }, true],
];

for (const [what, other, isSame] of PAIRS)
  test(`the same text ${what} is ${isSame ? "the same defect" : "another defect"}`, () => {
    assert.equal(isSameDefect(findingOf(AWAIT), findingOf({ ...AWAIT, ...other }), "same-lines"), isSame);
  });

test("harm at run time and a remark about the text are two defects, in whatever words", () => {
  const harm = findingOf({ ...AWAIT, category: "security" });
  for (const category of ["style", "documentation", "tests"] as const)
    assert.ok(!isSameDefect(harm, findingOf({ ...AWAIT, category }), "same-lines"));
  assert.ok(isSameDefect(harm, findingOf({ ...AWAIT, category: "maintainability" }), "same-lines"));
});

test("neighboring lines need more in common than the same lines", () => {
  const rule = findingOf({
    source: "floor",
    rule: "return-in-finally",
    title: "Lost exception: `return` in a cleanup block discards it",
    body: "If the guarded code throws, the return replaces the exception, so the caller gets a normal result and the error is lost.\n\nMove the return after the block, and only clean up inside it.",
  });
  const model = findingOf({
    title: "Exceptions of `process` disappear",
    body: "The `return` inside `finally` overrides a thrown error, so failures look like success.",
  });
  assert.ok(isSameDefect(rule, model, "same-lines"));
  assert.ok(!isSameDefect(rule, model, "neighboring"));
});

test("two built-in rules on a line are two defects; one rule is one, unless it names other code", () => {
  const rule = (id: string, title: string) => findingOf({ source: "floor", rule: id, title });
  const one = rule("floating-promise", "Floating promise: `save` is never awaited");
  assert.ok(!isSameDefect(one, rule("empty-catch", "Empty catch block swallows the error"), "same-lines"));
  assert.ok(isSameDefect(one, { ...one, body: "Again." }, "same-lines"));
  assert.ok(!isSameDefect(one, { ...one, title: "Floating promise: `load` is never awaited" }, "same-lines"));
});

test("a linter's title in another category is the same defect, unless harm or fix contradicts", () => {
  const own = findingOf({
    source: "floor",
    rule: "misused-call",
    title: "Blocked event loop: `time.sleep` in an async function",
  });
  const linter = findingOf({
    ...own,
    source: "analyser",
    rule: "ruff/ASYNC251",
    title: "Blocking call: `time.sleep` in an async function stops all other tasks",
    category: "performance",
  });
  assert.ok(isSameDefect(own, linter, "same-lines"));
  assert.ok(!isSameDefect(own, { ...linter, source: "floor" }, "same-lines"));
  assert.ok(!isSameDefect({ ...own, category: "tests" }, linter, "same-lines"));
  assert.ok(!isSameDefect(own, { ...linter, title: "Unused import: `time` is never used" }, "same-lines"));
});
