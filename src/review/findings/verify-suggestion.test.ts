import assert from "node:assert/strict";
import { test } from "node:test";
import { createInProcessReader } from "../../../test/support/in-process-reader.ts";
import { compareSuggestion } from "../../reading/compare-suggestion.ts";
import type { Anchor } from "./finding.ts";
import { verifySuggestion } from "./verify-suggestion.ts";

const TEXT = "function f(a) {\n  if (a == null) {\n    return 1;\n  }\n  return 2;\n}\n";
const reader = createInProcessReader();

function anchorAt(startLine: number, endLine: number, text = TEXT): Anchor {
  const lines = text
    .replaceAll("\r", "")
    .split("\n")
    .slice(startLine - 1, endLine);
  return { path: "a.ts", side: "new", startLine, endLine, lines, method: "exact", isChanged: true };
}

const CASES: readonly (readonly [
  what: string,
  suggestion: string,
  anchor: Anchor | null,
  text: string | null,
  language: string,
  expected: string,
])[] = [
  ["one line replaced", "  if (a === null) {", anchorAt(2, 2), TEXT, "typescript", "verified"],
  [
    "a block replaced by one line",
    "  if (a === null) return 1;",
    anchorAt(2, 4),
    TEXT,
    "typescript",
    "verified",
  ],
  ["a final line feed", "  return 3;\n", anchorAt(5, 5), TEXT, "typescript", "verified"],
  ["lines deleted", "", anchorAt(5, 5), TEXT, "typescript", "verified"],
  ["a CRLF file", "  return 3;", anchorAt(5, 5), TEXT.replaceAll("\n", "\r\n"), "typescript", "verified"],
  [
    "another indentation",
    "if (a === null) {",
    anchorAt(2, 2),
    TEXT,
    "typescript",
    "it doesn't keep the indentation",
  ],
  [
    "tabs for spaces",
    "\tif (a === null) {",
    anchorAt(2, 2),
    TEXT,
    "typescript",
    "it doesn't keep the indentation",
  ],
  [
    "broken code",
    "  if (a === null {",
    anchorAt(2, 2),
    TEXT,
    "typescript",
    "the file wouldn't parse with it",
  ],
  [
    "half of a block",
    "  if (a === null) return 1;",
    anchorAt(2, 2),
    TEXT,
    "typescript",
    "the file wouldn't parse with it",
  ],
  ["nothing new", "  return 2;", anchorAt(5, 5), TEXT, "typescript", "it changes nothing"],
  [
    "a file that has moved on",
    "  return 3;",
    anchorAt(5, 5),
    TEXT.replace("return 2", "return 4"),
    "typescript",
    "it doesn't apply to the file at the head",
  ],
  ["mixed line ends", "  return 3;\r  x();", anchorAt(5, 5), TEXT, "typescript", "it has mixed line endings"],
  ["removed code", "x", { ...anchorAt(5, 5), side: "old" }, TEXT, "typescript", "it's about removed code"],
  ["no place", "x", null, TEXT, "typescript", "the finding has no line in the change"],
  [
    "an unknown file",
    "  return 3;",
    anchorAt(5, 5),
    null,
    "typescript",
    "the content of the file isn't available",
  ],
  [
    "a language without a parser",
    "  return 3;",
    anchorAt(5, 5),
    TEXT,
    "cobol",
    "Kodiai has no parser for this language",
  ],
  ["a novel", `  ${"x();\n  ".repeat(50)}`, anchorAt(5, 5), TEXT, "typescript", "it's longer than 40 lines"],
];

for (const [what, suggestion, anchor, text, language, expected] of CASES) {
  test(`suggestion: ${what}`, async () => {
    const compared = await compareSuggestion(suggestion, { anchor, text, language }, reader);
    const verdict = verifySuggestion(
      suggestion,
      { anchor, text },
      () => compared?.comparison ?? "not-checked",
    );
    assert.equal(verdict.kind === "prose" ? verdict.reason : verdict.kind, expected);
  });
}

test("no suggestion is none", () => {
  const verdict = verifySuggestion(null, { anchor: null, text: null }, () => "as-before");
  assert.deepEqual(verdict, { kind: "none" });
});

test("a file that was too large to be read is said to be", () => {
  const place = { anchor: anchorAt(5, 5), text: null, isOverLimit: true };
  assert.deepEqual(
    verifySuggestion("  return 3;", place, () => "as-before"),
    {
      kind: "prose",
      reason: "the file is over 256 KB, the size limit for verifying suggestions",
      text: "  return 3;",
    },
  );
});
