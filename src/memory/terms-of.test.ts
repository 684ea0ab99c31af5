import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { memoryText } from "./memory-text.ts";
import { termsOf } from "./terms-of.ts";
import { assertLinear } from "../../test/support/assert-linear.ts";

/** A text, and words by which it is found. */
const FOUND_BY: readonly (readonly [text: string, ...words: string[]])[] = [
  ["readFileSync blocks", "read", "files", "sync", "blocking", "readFileSync"],
  ["max_retry_count is ignored", "retries", "counts", "max_retry_count", "ignore"],
  ["SQL injection in `findUser`", "sql", "injected", "user", "findUser"],
];

for (const [text, ...words] of FOUND_BY)
  test(`found by its words: ${text}`, () => {
    const terms = termsOf(text);
    for (const word of words)
      assert.ok(
        termsOf(word)
          .keys()
          .some((term) => terms.has(term)),
        word,
      );
    assert.ok(!terms.has("unrelated"));
  });

test("words of findings about anything are no terms", () => {
  assert.deepEqual([...termsOf("this function should return the value").keys()], []);
});

test("a frequent word counts as often as it occurs", () => {
  assert.equal(termsOf("cache, cache and cached").get("cach"), 3);
});

const HOSTILE: readonly (readonly [string, string])[] = [
  ["equal letters", "a".repeat(5_000_000)],
  ["equal capitals", "aA".repeat(2_500_000)],
  ["underscores", "_".repeat(100_000)],
  ["signs", "=".repeat(100_000)],
  ["apostrophes", "a'".repeat(100_000)],
  ["prefixes", `un${"e".repeat(100_000)}ed`],
  ["ten thousand words", Array.from({ length: 10_000 }, (_, index) => `word${index}x`).join(" ")],
  ["surrogates", "\ud800".repeat(100_000)],
];

for (const [name, text] of HOSTILE)
  test(`hostile text is cheap and has few terms: ${name}`, () => {
    assertLinear(text, termsOf);
    const terms = termsOf(text);
    assert.ok(terms.size <= 200);
    for (const term of terms.keys()) assert.ok(term.length <= 41);
  });

test("any text has terms that are short, and the same ones every time", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      const terms = termsOf(text);
      assert.deepEqual([...termsOf(text)], [...terms]);
      for (const [term, count] of terms) assert.ok(term !== "" && term.length <= 41 && count >= 1);
    }),
  );
});

test("the text of a memory has what it is found by, and is bounded", () => {
  const memory = {
    title: "Timeout is missing",
    body: "The request can hang.",
    path: "src/http/client.ts",
    language: "typescript",
    category: "reliability",
    rule: "missing-timeout",
  };
  assert.equal(
    memoryText(memory),
    "Timeout is missing\nThe request can hang.\n[reliability] typescript missing-timeout src/http/client.ts",
  );
  const long = "x".repeat(5_000_000);
  assert.ok(memoryText({ ...memory, title: long, body: long, path: long, rule: null }).length < 1_100);
});
