/** A commit is pushed only if its objects are exactly the checked edits. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { TreeEntryChange } from "../../../repository/repository-writer.ts";
import { bytesOfText } from "../../../review/edits/editable-text.ts";
import { verifyTree } from "./commit-edits.ts";

const EDITS = [
  { path: "a.ts", before: "a\n", after: "é\n" },
  { path: "new.ts", before: null, after: "new\n" },
  { path: "old.ts", before: "old\n", after: null },
];

const CHANGES: readonly TreeEntryChange[] = [
  { path: "a.ts", oldMode: "100755", newMode: "100755", newBlob: "1" },
  { path: "new.ts", oldMode: null, newMode: "100644", newBlob: "2" },
  { path: "old.ts", oldMode: "100644", newMode: null, newBlob: null },
];

const BLOBS = new Map([
  ["1", bytesOfText("é\n")],
  ["2", "new\n"],
]);

function verify(changes: readonly TreeEntryChange[], blobs: ReadonlyMap<string, string> = BLOBS) {
  return verifyTree(EDITS, changes, blobs).map(({ rule, path, detail }) => `${rule} ${path}: ${detail}`);
}

const [A, NEW, OLD] = CHANGES as readonly [TreeEntryChange, TreeEntryChange, TreeEntryChange];

test("a commit that has exactly the edits passes", () => {
  assert.deepEqual(verify(CHANGES), []);
});

test("an entry too many, one too few, another mode and another content are refused", () => {
  const cases: readonly (readonly [changes: readonly TreeEntryChange[], expected: RegExp])[] = [
    [[], /^nothing-changed/],
    [[A, NEW], /^unexpected-entry old\.ts: the commit doesn't have this edit$/],
    [
      [...CHANGES, { ...NEW, path: "extra.ts" }],
      /^unexpected-entry extra\.ts: the commit has an entry that no edit/,
    ],
    [[A, { ...NEW, newMode: "100755" }, OLD], /^unexpected-entry new\.ts: its file mode/],
    [[A, { ...NEW, newMode: "120000" }, OLD], /^unexpected-entry new\.ts: its file mode/],
    [[{ ...A, newMode: "100644" }, NEW, OLD], /^unexpected-entry a\.ts: its file mode/],
    [[{ ...A, oldMode: "120000", newMode: "120000" }, NEW, OLD], /^unexpected-entry a\.ts: its file mode/],
    [[{ ...A, oldMode: "160000", newMode: "160000" }, NEW, OLD], /^unexpected-entry a\.ts: its file mode/],
    [[{ ...A, oldMode: null }, NEW, OLD], /^unexpected-entry a\.ts: its file mode/],
    [[A, NEW, { ...OLD, newMode: "100644", newBlob: "2" }], /^unexpected-entry old\.ts: its file mode/],
    [[{ ...A, newBlob: "2" }, NEW, OLD], /^unexpected-entry a\.ts: its content/],
    [[{ ...A, newBlob: "3" }, NEW, OLD], /^unexpected-entry a\.ts: its content/],
  ];
  for (const [changes, expected] of cases) {
    const found = verify(changes);
    assert.equal(found.length, 1, found.join());
    assert.match(found[0] ?? "", expected);
  }
});

test("a mode that was asked for is the one that the commit has", () => {
  const edit = { path: "run.sh", before: "a\n", after: "a\n", isExecutable: true };
  const change = { path: "run.sh", oldMode: "100644", newMode: "100755", newBlob: "1" };
  const blobs = new Map([["1", "a\n"]]);
  assert.deepEqual(verifyTree([edit], [change], blobs), []);
  const [wrong] = verifyTree([{ ...edit, isExecutable: false }], [change], blobs);
  assert.equal(wrong?.rule, "unexpected-entry");
  // The file has the mode already, so only the other edit is in the commit.
  assert.deepEqual(verifyTree([edit, ...EDITS], CHANGES, BLOBS), []);
});

test("secrets are searched in the objects themselves", () => {
  const secret = `const key = "${["AKIA", "Q5ZGLXW2MPKD6TVR"].join("")}";\n`;
  const edit = { path: "a.ts", before: "a\n", after: secret };
  const [first] = verifyTree([edit], [A], new Map([["1", bytesOfText(secret)]]));
  assert.equal(first?.rule, "secret");
});
