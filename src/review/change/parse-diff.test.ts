import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChangedFile } from "./change.ts";
import { MAX_FILE_DIFF_LINES, MAX_LINE_CHARS } from "./change-limits.ts";
import { createDiffParser, parseDiff } from "./parse-diff.ts";
import { addedLines, removedLines, walkHunk } from "./walk-hunks.ts";

const latin1 = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

const MODIFIED = `diff --git a/src/a.ts b/src/a.ts
index 1111111111111111111111111111111111111111..2222222222222222222222222222222222222222 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -3,4 +3,5 @@ function f() {
 three
-four
+FOUR
+four and a half
 five
 six
`;

test("a modified file: names, ids, counts, numbered lines", () => {
  const [file] = parseDiff(MODIFIED);
  assert.ok(file !== undefined);
  assert.deepEqual(
    [file.path, file.oldPath, file.status, file.newMode, file.addedLines, file.removedLines, file.newBlob],
    ["src/a.ts", "src/a.ts", "modified", "100644", 2, 1, "2".repeat(40)],
  );
  assert.equal(file.hunks[0]?.section, "function f() {");
  assert.deepEqual(addedLines(file), [
    { line: 4, text: "FOUR" },
    { line: 5, text: "four and a half" },
  ]);
  assert.deepEqual(removedLines(file), [{ line: 4, text: "four" }]);
});

test("the result doesn't depend on how the diff is split into chunks", () => {
  for (let size = 1; size < MODIFIED.length; size += 7) {
    const parser = createDiffParser();
    for (let at = 0; at < MODIFIED.length; at += size) parser.push(MODIFIED.slice(at, at + size));
    assert.deepEqual(parser.end(), parseDiff(MODIFIED), `pieces of ${size}`);
  }
});

const HEADERS: readonly (readonly [what: string, diff: string, expected: Partial<ChangedFile>])[] = [
  [
    "a new file",
    "diff --git a/n b/n\nnew file mode 100755\nindex 0000000..3333333\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n",
    {
      path: "n",
      oldPath: null,
      status: "added",
      newMode: "100755",
      oldMode: null,
      oldBlob: null,
      addedLines: 1,
    },
  ],
  [
    "a deleted file",
    "diff --git a/d b/d\ndeleted file mode 100644\n--- a/d\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
    { path: "d", oldPath: "d", status: "deleted", newMode: null, removedLines: 1 },
  ],
  [
    "a rename without edits",
    "diff --git a/old name b/new name\nsimilarity index 100%\nrename from old name\nrename to new name\n",
    { path: "new name", oldPath: "old name", status: "renamed", hunks: [] },
  ],
  [
    "a copy",
    "diff --git a/o b/c\nsimilarity index 90%\ncopy from o\ncopy to c\n",
    { path: "c", oldPath: "o", status: "copied" },
  ],
  [
    "a mode change",
    "diff --git a/m b/m\nold mode 100644\nnew mode 100755\n",
    { path: "m", unreadable: "mode-only", oldMode: "100644", newMode: "100755" },
  ],
  [
    "a quoted path with a tab, a quote and UTF-8",
    'diff --git "a/t\\tb\\"\\303\\274" "b/t\\tb\\"\\303\\274"\nnew file mode 100644\n--- /dev/null\n+++ "b/t\\tb\\"\\303\\274"\n@@ -0,0 +1 @@\n+x\n',
    { path: 't\tb"ü' },
  ],
  [
    "a quoted path with a line feed and a byte that is not UTF-8",
    'diff --git "a/w\\nq\\377" "b/w\\nq\\377"\nnew file mode 100644\n--- /dev/null\n+++ "b/w\\nq\\377"\n@@ -0,0 +1 @@\n+x\n',
    { path: "w\nq\udcff" },
  ],
  [
    "a path with spaces",
    "diff --git a/a b c b/a b c\nindex 1111111..2222222 100644\n--- a/a b c\t\n+++ b/a b c\t\n@@ -1 +1 @@\n-x\n+y\n",
    { path: "a b c" },
  ],
  [
    "a binary file that git marks",
    "diff --git a/p.png b/p.png\nindex 1111111..2222222 100644\nBinary files a/p.png and b/p.png differ\n",
    { path: "p.png", unreadable: "binary" },
  ],
  [
    "a binary file by its bytes",
    "diff --git a/p b/p\nindex 1111111..2222222 100644\n--- a/p\n+++ b/p\n@@ -1 +1,2 @@\n-x\n+a\0b\n+c\n",
    { path: "p", unreadable: "binary", addedLines: 0, hunks: [] },
  ],
  [
    "a submodule",
    "diff --git a/s b/s\nindex 1111111..2222222 160000\n--- a/s\n+++ b/s\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n",
    { path: "s", unreadable: "submodule", addedLines: 0 },
  ],
  [
    "a symlink",
    "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n",
    { path: "l", unreadable: "symlink" },
  ],
  [
    "plain diff -u with dates",
    "--- a/x.c\t2026-01-01 00:00:00\n+++ b/x.c\t2026-01-02 00:00:00\n@@ -1 +1 @@\n-x\n+y\n",
    { path: "x.c", status: "modified", addedLines: 1 },
  ],
  [
    "text before the diff, as in format-patch output",
    `From 1 Mon\nSubject: x\n---\n x | 2 +-\n\n${MODIFIED}-- \n2.39.5\n`,
    { path: "src/a.ts", addedLines: 2, removedLines: 1 },
  ],
];

for (const [what, diff, expected] of HEADERS) {
  test(`reads ${what}`, () => {
    const files = parseDiff(latin1(diff));
    assert.equal(files.length, 1);
    for (const [key, value] of Object.entries(expected)) {
      assert.deepEqual(files[0]?.[key as keyof ChangedFile], value, key);
    }
  });
}

test("lines that look like headers inside a hunk are content", () => {
  const [file, ...others] = parseDiff(
    "--- a/x\n+++ b/x\n@@ -1,3 +1,4 @@\n ctx\n--- not a header\n+++ nor this\n+diff --git a/y b/y\n last\n",
  );
  assert.equal(others.length, 0);
  assert.deepEqual(
    [...(file?.hunks ?? [])].flatMap((hunk) => walkHunk(hunk)).map(({ kind, text }) => `${kind} ${text}`),
    [
      "context ctx",
      "removed -- not a header",
      "added ++ nor this",
      "added diff --git a/y b/y",
      "context last",
    ],
  );
});

test("CRLF lines keep their text, and contents that aren't UTF-8 keep their columns", () => {
  const [crlf] = parseDiff("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\r\n+b\r\n");
  assert.deepEqual(crlf === undefined ? [] : addedLines(crlf), [{ line: 1, text: "b" }]);
  const [bytes] = parseDiff("--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a\n+caf\xe9\n+\xc3\xa9\n");
  assert.deepEqual(bytes === undefined ? [] : addedLines(bytes).map(({ text }) => text), ["café", "é"]);
});

test("an over-long line is cut, counted and listed; the rest of the file is read", () => {
  const long = "x".repeat(5_000_000);
  const parser = createDiffParser();
  const diff = `--- /dev/null\n+++ b/x.js\n@@ -0,0 +1,3 @@\n+first\n+${long}\n+last\n`;
  for (let at = 0; at < diff.length; at += 65_536) parser.push(diff.slice(at, at + 65_536));
  const [file] = parser.end();
  assert.deepEqual([file?.addedLines, file?.cutLines, file?.unreadable], [3, [2], null]);
  assert.equal(file?.hunks[0]?.lines[1]?.length, MAX_LINE_CHARS + 1);
  assert.equal(file?.hunks[0]?.lines[2], "+last");
});

test("a file over the limit is counted but not kept, and doesn't affect other files", () => {
  const lines = MAX_FILE_DIFF_LINES + 1;
  const [big, small] = parseDiff(
    `--- /dev/null\n+++ b/big\n@@ -0,0 +1,${lines} @@\n${"+x\n".repeat(lines)}${MODIFIED}`,
  );
  assert.deepEqual([big?.addedLines, big?.unreadable, big?.hunks], [lines, "too-large", []]);
  assert.deepEqual([small?.path, small?.addedLines], ["src/a.ts", 2]);
});

test("other text has no files, and a truncated diff keeps its complete lines", () => {
  assert.deepEqual(parseDiff(""), []);
  assert.deepEqual(parseDiff("hello\nworld\n"), []);
  assert.deepEqual(parseDiff("@@ -1 +1 @@\n-x\n+y\n"), []);
  assert.equal(parseDiff(MODIFIED.slice(0, MODIFIED.indexOf("+four and")))[0]?.addedLines, 1);
});
