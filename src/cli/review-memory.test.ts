import assert from "node:assert/strict";
import { test } from "node:test";
import type { Change, ChangedFile } from "../review/change/change.ts";
import type { PriorReview } from "../review/context/prior-review.ts";
import { NO_PRIOR_REVIEW } from "../review/context/prior-findings.ts";
import { openReviewMemory } from "./review-memory.ts";

const KEY = { branch: "feature", gitFolder: "/repository/.git", kind: "current" };

function fileOf(path: string, ...lines: readonly string[]): ChangedFile {
  return {
    path,
    oldPath: null,
    status: "added",
    oldMode: null,
    newMode: "100644",
    oldBlob: null,
    newBlob: null,
    addedLines: lines.length,
    removedLines: 0,
    hunks: [{ oldStart: 0, newStart: 1, section: "", lines: lines.map((line) => `+${line}`) }],
    unreadable: null,
    cutLines: [],
  };
}

function changeOf(kind: Change["kind"], files: readonly ChangedFile[], base = "b".repeat(40)): Change {
  const described = { description: "", title: "", body: "", notes: [] };
  const commits = kind === "branch" ? [{ id: "c", subject: "", body: "", author: "" }] : [];
  return { kind, ...described, base, head: null, commits, files };
}

function leftBy(...changes: readonly Change[]): PriorReview {
  const usual = { model: { id: "a:x", head: "uncommitted" } };
  const runs = changes.map(({ base, files }) => ({
    base: base ?? "",
    head: "uncommitted",
    config: "c",
    readings: { usual, others: [] },
    files,
  }));
  return { runs, findings: [] };
}

/** Opens memories on one file, which starts empty. */
function createDisk(version = "1.0.0") {
  const notes: string[] = [];
  const disk = { text: null as string | null };
  const open = () =>
    openReviewMemory(KEY, (line) => notes.push(line), {
      version,
      openMemoryFile: async () => ({
        read: () => disk.text,
        write: (text) => void (disk.text = text),
        remove: () => void (disk.text = null),
      }),
    });
  return { open, notes, disk };
}

test("a memory returns what a review left, and a file that several runs have read is stored once", async () => {
  const { open, notes, disk } = createDisk();
  const [shared, edited, before] = [fileOf("a.ts", "shared"), fileOf("b.ts", "new"), fileOf("b.ts", "old")];
  const left = leftBy(changeOf("branch", [shared, edited]), changeOf("branch", [shared, before]));
  const change = changeOf("branch", [shared, edited]);
  assert.deepEqual((await open()).recall(change), NO_PRIOR_REVIEW);
  (await open()).keep(change, left);
  assert.deepEqual((await open()).recall(change), left);
  assert.equal(disk.text?.split("+shared").length, 2);
  // The file is JSON, although its body is read without parsing the whole.
  assert.deepEqual(Object.keys(JSON.parse(disk.text ?? "") as object), ["version", "checksum", "body"]);
  assert.deepEqual(notes, []);
});

test("uncommitted work on another commit starts anew; commits of a branch continue on a moved base", async () => {
  const { open } = createDisk();
  const files = [fileOf("a.ts", "x")];
  for (const kind of ["staged", "working-tree", "branch"] as const) {
    const left = leftBy(changeOf(kind, files));
    (await open()).keep(changeOf(kind, files), left);
    const memory = await open();
    assert.deepEqual(memory.recall(changeOf(kind, files)), left);
    const moved = memory.recall(changeOf(kind, files, "d".repeat(40)));
    assert.deepEqual(moved, kind === "branch" ? left : NO_PRIOR_REVIEW);
  }
  // The last commit, when there is nothing else to review.
  const commit = changeOf("commit", files);
  assert.deepEqual((await open()).recall(commit), NO_PRIOR_REVIEW);
});

test("a change that is too large isn't kept, and a note says so", async () => {
  const { open, notes, disk } = createDisk();
  const small = changeOf("branch", [fileOf("a.ts", "x")]);
  (await open()).keep(small, leftBy(small));
  assert.notEqual(disk.text, null);
  // Half of the limit in characters, more than the limit in bytes.
  const large = changeOf("branch", [
    fileOf(
      "a.ts",
      ..."é"
        .repeat(90)
        .split("")
        .map((letter) => letter.repeat(100_000)),
    ),
  ]);
  (await open()).keep(large, leftBy(large));
  assert.equal(disk.text, null);
  assert.deepEqual(notes, [
    "kodiai: the change is too large to be remembered; the next review reads everything again\n",
  ]);
});
