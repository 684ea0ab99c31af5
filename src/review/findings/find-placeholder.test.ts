import assert from "node:assert/strict";
import { test } from "node:test";
import type { Anchor } from "./finding.ts";
import { findPlaceholder } from "./find-placeholder.ts";

const PYTHON: readonly (readonly [
  what: string,
  above: string,
  line: string,
  below: string,
  at: number | null,
])[] = [
  ["an item of a list", "NAMES = [\n    'a',", "    ...,", "    'c',\n]", 1],
  ["the first item of a list", "NAMES = [", "    ...", "]", 1],
  ["an item of a dictionary", "NAMES = {\n    'a': 1,", "    ...", "}", 1],
  ["a later argument", "save(\n    user,", "    ...", ")", 1],
  ["the default of a field", "name: str = Field(", "    ...,", "    max_length=3,\n)", null],
  ["the beginning of an argument", "raise ParseError(", "    ...", "    % (item, value)\n)", 1],
  ["the rest of a tuple's type", "Names = tuple[\n    str,", "    ...", "]", null],
  ["an index of an array", "first = values[\n    rows[0],", "    ...,", "    0,\n]", null],
];

for (const [what, above, line, below, at] of PYTHON)
  test(`dots in Python: ${what} ${at === null ? "is code" : "is a placeholder"}`, () => {
    const before = above.split("\n");
    const file = [...before, "    x,", ...below.split("\n")];
    const place = before.length + 1;
    const anchor: Anchor = {
      path: "a.py",
      side: "new",
      startLine: place,
      endLine: place,
      lines: ["    x,"],
      method: "exact",
      isChanged: true,
    };
    assert.equal(findPlaceholder([line], anchor, file), at);
  });
