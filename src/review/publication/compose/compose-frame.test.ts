import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleAnchor, sampleFile } from "../../../../test/support/sample-publication.ts";
import type { Anchor } from "../../findings/finding.ts";
import { composeFrame, headLineOf, showsAnchor } from "./compose-frame.ts";

const FILE = sampleFile("a.ts", [" one", "-two", "-three", "+TWO", "+THREE", " four", " five", " six"]);

function shape(file: typeof FILE, anchor: Anchor, contextLines?: number): string[] {
  return composeFrame(file, anchor, contextLines).map(
    ({ kind, line, text, isAnchor }) => `${isAnchor ? ">" : " "}${line ?? "-"} ${kind} ${text}`,
  );
}

const FRAMES: readonly {
  readonly name: string;
  readonly anchor: Partial<Anchor>;
  readonly context?: number;
  readonly lines: readonly string[];
}[] = [
  {
    name: "new side, with the removed lines before it",
    anchor: { startLine: 11, endLine: 11 },
    lines: [" - removed two", " - removed three", ">11 added TWO", " 12 added THREE", " 13 context four"],
  },
  {
    name: "old side, numbers of the base",
    anchor: { side: "old", startLine: 11, endLine: 12 },
    lines: [" 10 context one", ">11 removed two", ">12 removed three", " - added TWO", " - added THREE"],
  },
  {
    name: "lines of the other side stay between",
    anchor: { startLine: 10, endLine: 11 },
    context: 0,
    lines: [">10 context one", " - removed two", " - removed three", ">11 added TWO"],
  },
  { name: "no context", anchor: { startLine: 15, endLine: 15 }, context: 0, lines: [">15 context six"] },
  {
    name: "outside the hunks: the anchor's own lines",
    anchor: { startLine: 90, endLine: 91, lines: ["x", "y"] },
    lines: [">90 context x", ">91 context y"],
  },
];

for (const { name, anchor, context, lines } of FRAMES) {
  test(`frame: ${name}`, () => {
    assert.deepEqual(shape(FILE, sampleAnchor({ path: "a.ts", ...anchor }), context), lines);
  });
}

test("frame: never more than 12 lines, the finding's own first", () => {
  const file = sampleFile(
    "a.ts",
    Array.from({ length: 40 }, (_, index) => `+line ${index}`),
  );
  const long = composeFrame(file, sampleAnchor({ startLine: 12, endLine: 40 }));
  assert.equal(long.length, 12);
  assert.equal(long[0]?.line, 12);
  assert.ok(long.every(({ isAnchor }) => isAnchor));
  const tight = composeFrame(file, sampleAnchor({ startLine: 12, endLine: 22 }));
  assert.equal(tight.length, 12);
  assert.equal(tight.filter(({ isAnchor }) => isAnchor).length, 11);
});

test("frame: long lines are cut to 200 characters, never inside a character", () => {
  const file = sampleFile("a.ts", [`+${"x".repeat(198)}\u{1F600}${"y".repeat(50)}`, `+${"z".repeat(200)}`]);
  const [cut, whole] = composeFrame(file, sampleAnchor({ startLine: 10, endLine: 11 }));
  assert.equal(cut?.text, `${"x".repeat(198)}…`);
  assert.equal(whole?.text, "z".repeat(200));
});

test("frame: blank context at the edges is left out, blank lines of the finding are kept", () => {
  const file = sampleFile("a.ts", [" ", "+code", "+", " "]);
  assert.deepEqual(shape(file, sampleAnchor({ startLine: 11, endLine: 12 })), [
    ">11 added code",
    ">12 added ",
  ]);
});

const HEAD_LINES: readonly [string, typeof FILE, Partial<Anchor>, number | null][] = [
  ["the anchor's own on the new side", FILE, { startLine: 12 }, 12],
  ["the replacement of removed code", FILE, { side: "old", startLine: 11, endLine: 12 }, 11],
  [
    "the line before when nothing follows",
    sampleFile("a.ts", [" one", "-two"]),
    { side: "old", startLine: 11, endLine: 11 },
    10,
  ],
  [
    "never below 1",
    sampleFile("a.ts", [], { hunks: [{ oldStart: 1, newStart: 0, section: "", lines: ["-a"] }] }),
    { side: "old", startLine: 1, endLine: 1 },
    1,
  ],
  [
    "none in a deleted file",
    { ...FILE, status: "deleted" },
    { side: "old", startLine: 11, endLine: 11 },
    null,
  ],
  ["none when no hunk shows it", FILE, { side: "old", startLine: 900, endLine: 900 }, null],
];

for (const [name, file, anchor, expected] of HEAD_LINES) {
  test(`head line: ${name}`, () => assert.equal(headLineOf(file, sampleAnchor(anchor)), expected));
}

test("a file shows an anchor only with the same text at the same line", () => {
  assert.ok(showsAnchor(FILE, sampleAnchor({ startLine: 11, endLine: 11, lines: ["TWO"] })));
  assert.ok(!showsAnchor(FILE, sampleAnchor({ startLine: 11, endLine: 11, lines: ["other"] })));
  assert.ok(!showsAnchor(FILE, sampleAnchor({ startLine: 12, endLine: 12, lines: ["TWO"] })));
});
