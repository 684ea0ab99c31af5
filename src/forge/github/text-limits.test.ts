/** Tests that long texts are cut before the marker, with a note. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fitCheckSummary, fitCheckTitle, withMarker } from "./text-limits.ts";

test("a text that fits stays unchanged, with its marker as the last line", () => {
  assert.equal(withMarker("body", "<!-- m -->"), "body\n\n<!-- m -->");
  assert.equal(fitCheckTitle("title"), "title");
});

test("a text that is too long keeps its marker, gets a note, and fits", () => {
  const long = withMarker("x".repeat(70_000), "<!-- m -->");
  assert.equal(long.length, 65_536);
  assert.match(long, /\(truncated: [^)]*\)\n\n<!-- m -->$/);
  assert.equal(fitCheckSummary("x".repeat(70_000)).length, 65_535);
  assert.equal(fitCheckTitle("x".repeat(300)).length, 255);
});

test("a surrogate pair is never cut in half", () => {
  for (const length of [65_536, 65_537, 65_538]) {
    const text = withMarker("😀".repeat(length), "<!-- m -->");
    assert.ok(text.isWellFormed());
  }
});
