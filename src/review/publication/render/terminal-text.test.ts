import assert from "node:assert/strict";
import { test } from "node:test";
import { cutToWidth, displayWidth, wrapLine, wrapProse } from "./terminal-text.ts";

const WIDTHS: readonly [string, number][] = [
  ["", 0],
  ["abc", 3],
  ["名前", 4],
  ["e\u0301", 1],
  ["\u{1F600}", 2],
  ["é—│", 3],
];
for (const [text, width] of WIDTHS) {
  test(`width of ${JSON.stringify(text)}`, () => assert.equal(displayWidth(text), width));
}

const CUTS: readonly [string, number, string][] = [
  ["abcdef", 6, "abcdef"],
  ["abcdef", 5, "abcd…"],
  ["名前名前", 5, "名前…"],
  ["名前名前", 4, "名…"],
];
for (const [text, width, expected] of CUTS) {
  test(`cut ${text} to ${width}`, () => assert.equal(cutToWidth(text, width), expected));
}

test("a line is wrapped at spaces; a word that is too long stays whole", () => {
  assert.deepEqual(wrapLine("one two  three", 7), ["one two", "three"]);
  assert.deepEqual(wrapLine("a https://example.com/very/long b", 10), [
    "a",
    "https://example.com/very/long",
    "b",
  ]);
  assert.deepEqual(wrapLine("", 10), []);
});

const PROSE: readonly [string, string, readonly string[]][] = [
  ["lines of a paragraph flow together", "one\ntwo\nthree four", ["one two three", "four"]],
  ["paragraphs keep one blank line", "one\n\n\n\ntwo\n", ["one", "", "two"]],
  ["list items hang", "- one two three\n- b", ["- one two", "  three", "- b"]],
  ["numbered items hang", "1. one two three", ["1. one two", "   three"]],
  ["fenced code is kept and indented", "a\n```js\n  b  c\n```\nd", ["a", "    b  c", "d"]],
];
for (const [name, text, expected] of PROSE) {
  test(`prose: ${name}`, () => assert.deepEqual(wrapProse(text, 13), expected));
}
