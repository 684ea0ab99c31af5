import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDiff } from "../../review/change/parse-diff.ts";
import { changesLines, sentenceOfComment } from "./review-comments.ts";

test("a comment becomes its first sentence, without code, quotes, markup and secrets", () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  const sentences: readonly (readonly [body: string, sentence: string | null])[] = [
    ["This reads past the last item. Use `<`.", "This reads past the last item."],
    ["```suggestion\nreturn total;\n```\nThe total is wrong here", "The total is wrong here"],
    ["> Is it?\n\n**Bug:** it fails\nwithout items.\n\nSee above.", "Bug: it fails without items."],
    [`Don't log ${token} here`, "Don't log [masked] here"],
    ["<!-- a template --># The lock is never released", "The lock is never released"],
    [`${"word ".repeat(100)}end`, `${"word ".repeat(60).slice(0, 299).trimEnd()}…`],
    ["nit: call it `index`.", null],
    ["**Nitpick (optional):** sort the imports", null],
    ["(Tiny nit) a space is missing", null],
    ["Nitrogen is spelled differently", "Nitrogen is spelled differently"],
    ["Nice!", null],
    ["```\nonly code, and a lot of it\n```", null],
    ["", null],
  ];
  for (const [body, sentence] of sentences) assert.equal(sentenceOfComment(body), sentence, body);
});

const diff = (...hunks: readonly string[]): string =>
  [
    "diff --git a/a.ts b/b.ts",
    "rename from a.ts",
    "rename to b.ts",
    "--- a/a.ts",
    "+++ b/b.ts",
    ...hunks,
    "",
  ].join("\n");

test("lines count as changed exactly when one of them is replaced or removed, or when lines are added between them", () => {
  const files = parseDiff(
    diff(
      "@@ -3,2 +3 @@",
      "-three",
      "-four",
      "+3",
      "@@ -8,0 +8 @@",
      "+added",
      "@@ -12 +13 @@",
      "-  a(b)",
      "+a( b )",
    ),
  );
  const changed = (first: number, last: number): boolean => changesLines(files, "a.ts", [first, last]);
  const places: readonly (readonly [first: number, last: number, isChanged: boolean])[] = [
    [1, 2, false],
    [2, 3, true],
    [4, 4, true],
    [4, 7, true],
    [5, 8, false],
    [8, 8, false],
    [8, 9, true],
    [9, 11, false],
    // Only its spaces are others.
    [12, 12, false],
  ];
  for (const [first, last, expected] of places)
    assert.equal(changed(first, last), expected, `${first}-${last}`);
  assert.equal(changesLines(files, "b.ts", [3, 3]), false);
});
