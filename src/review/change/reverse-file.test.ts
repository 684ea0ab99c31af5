import assert from "node:assert/strict";
import { test } from "node:test";
import { diffTexts } from "../../../test/support/diff-texts.ts";
import { reverseFile, textBefore } from "./reverse-file.ts";
import { addedLines } from "./walk-hunks.ts";

const PAIRS: readonly (readonly [before: string, after: string])[] = [
  ["a\nb\nc\n", "a\nB\nc\n"],
  ["a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n", "b\nc\nd\ne\nf\ng\nh\ni\nj\nk\n"],
  ["a\nb\n", "b\n"],
  ["a\n", "new\na\nmore\n"],
];

for (const [before, after] of PAIRS) {
  test(`the text before the change follows from the text after it: ${JSON.stringify(after)}`, () => {
    assert.equal(textBefore(diffTexts({ path: "a", before, after }), after), before);
  });
}

test("a reversed file has the removed lines as added ones", () => {
  const reversed = reverseFile(diffTexts({ path: "a", before: "x\nold\ny\n", after: "x\nnew\ny\n" }));
  assert.deepEqual([...addedLines(reversed ?? assert.fail())], [{ line: 2, text: "old" }]);
});

test("a new file can't be reversed", () => {
  assert.equal(reverseFile(diffTexts({ path: "a", before: null, after: "x\n" })), null);
});
