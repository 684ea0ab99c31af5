import assert from "node:assert/strict";
import { test } from "node:test";
import type { Change, ChangedFile } from "../review/change/change.ts";
import type { PriorReview } from "../review/context/prior-review.ts";
import { NO_PRIOR_REVIEW } from "../review/context/prior-findings.ts";
import type { Receipt, ReceiptReason } from "../review/publication/receipt.ts";
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

/** The receipt of a review that left some files out. */
function receiptOf(leftOut: Readonly<Record<string, ReceiptReason>> = {}): Receipt {
  const entries = Object.entries(leftOut).map(([path, reason]) => ({
    path,
    status: "omitted" as const,
    reason,
    lines: 1,
  }));
  const counts = { addedLines: 0, reviewedLines: 0, carriedLines: 0, omittedLines: 0, unreviewableLines: 0 };
  return { entries, gaps: [], coverage: { ...counts, files: 0, reviewedFiles: 0, isComplete: true } };
}

/** Opens memories on one file, which starts empty. */
function createDisk(version = "1.0.0") {
  const notes: string[] = [];
  const disk = { text: null as string | null };
  const open = () =>
    openReviewMemory(KEY, (line) => notes.push(line), {
      version,
      files: {
        openMemoryFile: async () => ({
          read: () => disk.text,
          write: (text) => void (disk.text = text),
          remove: () => void (disk.text = null),
          putAside: () => void (disk.text = null),
        }),
      },
    });
  return { open, notes, disk };
}

test("a memory returns what a review left, and a file that several runs have read is stored once", async () => {
  const { open, notes, disk } = createDisk();
  const [shared, edited, before] = [fileOf("a.ts", "shared"), fileOf("b.ts", "new"), fileOf("b.ts", "old")];
  const left = leftBy(changeOf("branch", [shared, edited]), changeOf("branch", [shared, before]));
  const change = changeOf("branch", [shared, edited]);
  assert.deepEqual((await open()).recall(change), NO_PRIOR_REVIEW);
  (await open()).keep(change, left, receiptOf());
  assert.deepEqual((await open()).recall(change), left);
  assert.equal(disk.text?.split('"a.ts"').length, 2);
  // The file is JSON, although its body is read without parsing the whole.
  assert.deepEqual(Object.keys(JSON.parse(disk.text ?? "") as object), ["version", "checksum", "body"]);
  assert.deepEqual(notes, []);
});

test("uncommitted work on another commit starts anew; commits of a branch continue on a moved base", async () => {
  const { open } = createDisk();
  const files = [fileOf("a.ts", "x")];
  for (const kind of ["staged", "working-tree", "branch"] as const) {
    const left = leftBy(changeOf(kind, files));
    (await open()).keep(changeOf(kind, files), left, receiptOf());
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
  (await open()).keep(small, leftBy(small), receiptOf());
  assert.notEqual(disk.text, null);
  // Blanks are stored as they are: half of the limit in characters, more than the limit in bytes.
  const blanks = "\u2003".repeat(100_000);
  const large = changeOf("branch", [fileOf("a.ts", ...Array.from({ length: 90 }, () => blanks))]);
  (await open()).keep(large, leftBy(large), receiptOf());
  assert.equal(disk.text, null);
  assert.deepEqual(notes, [
    "kodiai: the change is too large to be remembered; the next review reads everything again\n",
  ]);
});

test("[P9] a memory holds no line of code, and a review with the same lines gets them back", async () => {
  const { open, disk } = createDisk();
  const secret = "AKIAIOSFODNN7QXAMPLE";
  const lines = [
    "  }",
    "",
    `\tconst key = "${secret}";  `,
    secret,
    "0123456789abcdef",
    "x = 1",
    "let π = 3.14159;\r",
  ];
  const [file] = [fileOf("a.ts", ...lines)];
  const [hunk] = file.hunks;
  assert.ok(hunk !== undefined);
  const withSection = { ...file, hunks: [{ ...hunk, section: `function use(key = "${secret}") {` }] };
  const change = changeOf("branch", [withSection]);
  (await open()).keep(change, leftBy(change), receiptOf());
  for (const text of [secret, "const key", "0123456789abcdef", "3.14159"])
    assert.ok(disk.text?.includes(text) === false, text);
  const [run] = (await open()).recall(change).runs;
  // Only the heading of the hunk is gone: nothing is compared with it.
  assert.deepEqual(run?.files, [file]);
});

test("a line that the change no longer has equals no line, and is known again when it comes back", async () => {
  const { open, disk } = createDisk();
  const before = changeOf("branch", [fileOf("a.ts", "first line", "second line")]);
  (await open()).keep(before, leftBy(before), receiptOf());
  const [hash = ""] = /[0-9a-f]{32}/.exec(disk.text?.split("+")[3] ?? "") ?? [];
  // An author who computes the hash of a line can't pass it off as that line.
  const after = changeOf("branch", [fileOf("a.ts", "first line", hash)]);
  const memory = await open();
  const recalled = memory.recall(after);
  const [first, second = ""] = recalled.runs[0]?.files?.[0]?.hunks[0]?.lines ?? [];
  assert.equal(first, "+first line");
  assert.match(second, /^\+[0-9a-f]\n[0-9a-f]{31}$/);
  assert.equal(second.replace("\n", ""), `+${hash}`);
  memory.keep(after, { ...leftBy(after), runs: [...leftBy(after).runs, ...recalled.runs] }, receiptOf());
  const [newest, oldest] = (await open()).recall(before).runs;
  assert.deepEqual(oldest?.files, before.files);
  assert.deepEqual(newest?.files?.[0]?.hunks[0]?.lines[0], "+first line");
  assert.notDeepEqual(newest?.files, after.files);
});

test("lock files and others that aren't reviewed keep their names, but not their lines", async () => {
  const { open, disk, notes } = createDisk();
  const many = Array.from({ length: 20 }, (_, file) =>
    fileOf(
      `package${file}/yarn.lock`,
      ...Array.from({ length: 20_000 }, (__, line) => `package-${file}-${line}@1.0.0`),
    ),
  );
  const source = fileOf("a.ts", "export const a = 1;");
  const change = changeOf("branch", [source, ...many]);
  const spans = [{ lines: 20_000, reading: { rules: "uncommitted", model: null } }];
  const left = leftBy(change);
  const [run] = left.runs;
  assert.ok(run !== undefined);
  const others = many.map(({ path }) => ({ path, spans }));
  const reasons = Object.fromEntries(many.map(({ path }) => [path, "filtered:lockfile" as const]));
  (await open()).keep(
    change,
    { ...left, runs: [{ ...run, readings: { ...run.readings, others } }] },
    receiptOf({ ...reasons, "a.ts": "limit:budget" }),
  );
  assert.deepEqual(notes, []);
  assert.ok((disk.text?.length ?? 0) < 10_000);
  const [recalled] = (await open()).recall(change).runs;
  assert.deepEqual(recalled?.files, [source, ...many.map((file) => ({ ...file, hunks: [] }))]);
  assert.deepEqual(recalled?.readings.others, []);
});
