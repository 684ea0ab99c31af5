/** What is too long is cut before the marker, and says so. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fitCheckSummary, fitCheckTitle, fitComment, withMarker } from "./text-limits.ts";

test("a text that fits stays as it is, with its marker as the last line", () => {
  assert.equal(withMarker("body", "<!-- m -->"), "body\n\n<!-- m -->");
  assert.equal(fitComment("body"), "body");
  assert.equal(fitCheckTitle("title"), "title");
});

test("a text that is too long keeps its marker, says that it was cut, and fits", () => {
  const long = withMarker("x".repeat(70_000), "<!-- m -->");
  assert.equal(long.length, 65_536);
  assert.match(long, /\(cut: [^)]*\)\n\n<!-- m -->$/);
  assert.equal(fitComment("x".repeat(70_000)).length, 65_536);
  assert.equal(fitCheckSummary("x".repeat(70_000)).length, 65_535);
  assert.equal(fitCheckTitle("x".repeat(300)).length, 255);
});

test("no character is cut in half", () => {
  for (const length of [65_536, 65_537, 65_538]) {
    const text = fitComment("😀".repeat(length));
    assert.ok(text.isWellFormed());
  }
});
