import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFile } from "../../../test/support/analysis-fixtures.ts";
import { findingOf } from "../../../test/support/findings-fixtures.ts";
import { anchorFinding } from "./anchor-finding.ts";

const FILE = changedFile({
  path: "src/a.ts",
  status: "modified",
  newStart: 10,
  lines: [
    " function total(items) {",
    "-  return items.length;",
    "+  let sum = 0;",
    "+  for (const item of items) {",
    "+    sum += item.price;",
    "+  }",
    "+  return sum;",
    " }",
    " function other() {",
    "+  return sum;",
    " }",
  ],
});

const CASES: readonly (readonly [
  what: string,
  quote: string,
  hint: number | null,
  side: "new" | "old",
  expected: unknown,
])[] = [
  ["an exact line", "  let sum = 0;", null, "new", ["new", 11, 11, "exact", true]],
  [
    "several lines",
    "  for (const item of items) {\n    sum += item.price;",
    null,
    "new",
    ["new", 12, 13, "exact", true],
  ],
  ["a wrong line hint does not matter", "  let sum = 0;", 999, "new", ["new", 11, 11, "exact", true]],
  [
    "an ambiguous quote takes the candidate nearest to the hint",
    "  return sum;",
    17,
    "new",
    ["new", 18, 18, "exact", true],
  ],
  [
    "an ambiguous quote without a hint takes the first",
    "  return sum;",
    null,
    "new",
    ["new", 15, 15, "exact", true],
  ],
  ["other white space", "let   sum=0;", null, "new", ["new", 11, 11, "whitespace", true]],
  ["a fragment of one line", "item.price", null, "new", ["new", 13, 13, "whitespace", true]],
  ["a slightly misquoted line", "    sum += items.price;", null, "new", ["new", 13, 13, "fuzzy", true]],
  ["removed code, on the old side", "  return items.length;", null, "old", ["old", 11, 11, "exact", true]],
  [
    "removed code with the wrong side given",
    "  return items.length;",
    null,
    "new",
    ["old", 11, 11, "exact", true],
  ],
  [
    "an unchanged line of the hunk",
    " function total(items) {".slice(1),
    null,
    "new",
    ["new", 10, 10, "exact", false],
  ],
  ["blank lines around the quote", "\n  let sum = 0;\n\n", null, "new", ["new", 11, 11, "exact", true]],
  [
    "CRLF in the quote",
    "  let sum = 0;\r\n  for (const item of items) {\r",
    null,
    "new",
    ["new", 11, 12, "exact", true],
  ],
  ["a quote that stands nowhere", "  return database.query(sql);", 11, "new", null],
  ["a fragment too short to mean a line", "sum", 11, "new", null],
  ["no quote", "", 11, "new", null],
];

for (const [what, quote, lineHint, sideHint, expected] of CASES) {
  test(`places ${what}`, () => {
    const anchor = anchorFinding(findingOf({ quote, lineHint, sideHint }), FILE);
    const found = anchor && [anchor.side, anchor.startLine, anchor.endLine, anchor.method, anchor.isChanged];
    assert.deepEqual(found, expected);
  });
}
