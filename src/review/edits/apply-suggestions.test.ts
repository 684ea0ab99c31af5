/** Verified suggestions become edits only where their lines are as they were. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { applyVerifiedSuggestions, type SuggestedFix } from "./apply-suggestions.ts";

const THEN = "one\ntwo\nthree\nfour\nfive\n";

function fix(
  number: number,
  lines: readonly [number, number],
  rest: Partial<SuggestedFix> = {},
): SuggestedFix {
  return {
    number,
    path: "a.ts",
    side: "new",
    startLine: lines[0],
    endLine: lines[1],
    state: "open",
    suggestion: `fix ${number}`,
    textThen: THEN,
    ...rest,
  };
}

function apply(fixes: readonly SuggestedFix[], now = THEN) {
  const { edits, applied, leftOut } = applyVerifiedSuggestions(fixes, new Map([["a.ts", now]]));
  return {
    after: edits[0]?.after ?? null,
    applied,
    leftOut: leftOut.map(({ number, reason, other }) =>
      [number, reason, ...(other === null ? [] : [other])].join(" "),
    ),
  };
}

test("a suggestion replaces exactly its lines", () => {
  assert.deepEqual(apply([fix(1, [2, 3])]), { after: "one\nfix 1\nfour\nfive\n", applied: [1], leftOut: [] });
  assert.equal(apply([fix(1, [2, 3], { suggestion: "" })]).after, "one\nfour\nfive\n");
  assert.equal(apply([fix(1, [1, 1], { suggestion: "a\nb" })]).after, "a\nb\ntwo\nthree\nfour\nfive\n");
});

test("several suggestions of one file apply together; of overlapping ones the lowest number wins", () => {
  assert.deepEqual(apply([fix(3, [4, 5]), fix(2, [3, 4]), fix(1, [1, 1])]), {
    after: "fix 1\ntwo\nfix 2\nfive\n",
    applied: [1, 2],
    leftOut: ["3 overlaps 2"],
  });
});

test("in a file that changed, the lines are found where they are the only ones", () => {
  assert.equal(apply([fix(1, [2, 3])], `new\n${THEN}`).after, "new\none\nfix 1\nfour\nfive\n");
  assert.deepEqual(apply([fix(1, [2, 3])], `${THEN}two\nthree\n`).leftOut, ["1 ambiguous"]);
  assert.deepEqual(apply([fix(1, [2, 3])], THEN.replace("three", "3")).leftOut, ["1 changed"]);
  assert.deepEqual(apply([fix(1, [5, 9])]).leftOut, ["1 changed"]);
});

test("findings that aren't open, or have nothing to apply, are left out with the reason", () => {
  const states = ["addressed", "verified", "contested", "waived", "expired"] as const;
  const { applied, leftOut } = apply(states.map((state, index) => fix(index + 1, [1, 1], { state })));
  assert.deepEqual(applied, []);
  assert.deepEqual(leftOut, ["1 not-open", "2 not-open", "3 not-open", "4 not-open", "5 not-open"]);
  assert.deepEqual(apply([fix(1, [1, 1], { suggestion: null })]).leftOut, ["1 no-suggestion"]);
  assert.deepEqual(apply([fix(1, [1, 1], { side: "old" })]).leftOut, ["1 no-suggestion"]);
  assert.deepEqual(apply([fix(1, [1, 1], { textThen: null })]).leftOut, ["1 unreadable"]);
  assert.deepEqual(apply([fix(1, [1, 1], { path: "gone.ts" })]).leftOut, ["1 unreadable"]);
});

test("line endings stay as they are", () => {
  const windows = THEN.replaceAll("\n", "\r\n");
  assert.equal(
    apply([fix(1, [2, 3], { textThen: windows, suggestion: "a\nb" })], windows).after,
    "one\r\na\r\nb\r\nfour\r\nfive\r\n",
  );
  const mixed = "one\r\ntwo\nthree\r\nfour\nfive";
  assert.equal(
    apply([fix(1, [2, 2], { textThen: mixed })], mixed).after,
    "one\r\nfix 1\nthree\r\nfour\nfive",
  );
  const open = "one\r\ntwo";
  assert.equal(apply([fix(1, [2, 2], { textThen: open })], open).after, "one\r\nfix 1");
});
