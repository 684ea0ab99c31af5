import assert from "node:assert/strict";
import { test } from "node:test";
import { hasConflictMarkers } from "./conflict-markers.ts";

const CASES: readonly (readonly [string, string, boolean])[] = [
  ["a whole conflict", "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> topic\n", true],
  ["the first line", "<<<<<<< HEAD\n", true],
  ["after a byte order mark", "\uFEFF<<<<<<< HEAD\n", true],
  ["only the end is left", "a\n>>>>>>> topic\n", true],
  ["Windows line ends", "a\r\n<<<<<<<\r\nb\r\n", true],
  ["cut after the marker", "a\n<<<<<<<", true],
  ["eight characters", "<<<<<<<< a\n", false],
  ["not at the start of a line", '{ "a": "<<<<<<< HEAD" }\n', false],
  ["a separator alone", "Title\n=======\n", false],
  ["nothing", "", false],
];

test("conflict markers are found at the start of a line", () => {
  for (const [name, text, expected] of CASES) assert.equal(hasConflictMarkers(text), expected, name);
});
