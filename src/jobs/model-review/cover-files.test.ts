import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_TOKENS, type OutcomeKind, type PassStep } from "../../model/model.ts";
import type { FilePart } from "../../review/change/scope.ts";
import type { NotebookEntry, NumberedEntry } from "../../tools/notebook.ts";
import { coverFiles } from "./cover-files.ts";
import { reportPasses } from "./report-passes.ts";

const PASS = { name: "review", paths: ["a", "b", "c"], seconds: 600 };

/** The file "c" has three hunks, of which the first was read in an earlier review. */
const hunksToRead = (path: string): readonly number[] => (path === "c" ? [2, 3] : [1]);

function ended(kind: OutcomeKind, shownPaths: readonly string[], step: PassStep = "full"): NotebookEntry {
  const outcome = {
    kind,
    stopReason: { kind: "finished" } as const,
    model: "a:x",
    turns: 1,
    tokens: NO_TOKENS,
    ms: 1,
  };
  return { kind: "outcome", pass: "review", step, outcome, costUsd: 0.1, files: 3, shownPaths, isLast: true };
}

/** An end with these hunks of "c" shown, and all of "a" and "b". */
function endedWith(kind: OutcomeKind, hunks: readonly number[]): NotebookEntry {
  return { ...ended(kind, ["a", "b"]), shownParts: [{ path: "c", hunks }] } as NotebookEntry;
}

const marked: NotebookEntry = { kind: "reviewed", pass: "review", paths: ["b"] };

const markedHunks = (...hunks: readonly number[]): NotebookEntry => {
  const parts: readonly FilePart[] = [{ path: "c", hunks }];
  return { kind: "reviewed", pass: "review", paths: [], parts };
};

const onlyHunk = (hunk: number, rest: string): object => ({ hunks: new Set([hunk]), rest });

function numbered(entries: readonly NotebookEntry[]): readonly NumberedEntry[] {
  return entries.map((entry, index) => ({ ...entry, number: index + 1 }));
}

const CASES: readonly (readonly [what: string, entries: readonly NotebookEntry[], covered: object])[] = [
  [
    "to its end: all that was shown",
    [ended("completed", ["a", "b"])],
    { a: null, b: null, c: "limit:context" },
  ],
  [
    "time over: only what the model said it had read",
    [marked, ended("timed-out", ["a", "b", "c"])],
    { a: "limit:time", b: null, c: "limit:time" },
  ],
  ["no money", [ended("stopped-by-budget", [])], { a: "limit:budget", b: "limit:budget", c: "limit:budget" }],
  [
    "one failed, the next went on with the rest",
    [marked, ended("failed", ["a", "b", "c"]), ended("completed", ["a", "c"])],
    { a: null, b: null, c: null },
  ],
  [
    "the riskiest half after a time-out",
    [ended("timed-out", ["a", "b", "c"]), ended("completed", ["c"], "reduced")],
    { a: "limit:time", b: "limit:time", c: null },
  ],
  [
    "stopped by hand: only what the model said it had read",
    [marked, ended("stopped", ["a", "b", "c"])],
    { a: "limit:stopped", b: null, c: "limit:stopped" },
  ],
  [
    "stopped by hand in the riskiest half",
    [ended("timed-out", ["a", "b", "c"]), marked, ended("stopped", ["b", "c"], "reduced")],
    { a: "limit:stopped", b: null, c: "limit:stopped" },
  ],
  [
    "never begun, because the part before it was stopped",
    [{ ...ended("stopped", []), pass: "part 1 of 2" }],
    { a: "limit:stopped", b: "limit:stopped", c: "limit:stopped" },
  ],
  [
    "to its end, and a diff was shown in part",
    [endedWith("completed", [1, 2])],
    { a: null, b: null, c: onlyHunk(2, "limit:context") },
  ],
  [
    "to its end, and only a hunk that was read before is complete",
    [endedWith("completed", [1])],
    { a: null, b: null, c: "limit:context" },
  ],
  [
    "to its end, and all hunks to read were shown",
    [endedWith("completed", [2, 3])],
    { a: null, b: null, c: null },
  ],
  [
    "to its end, and the model marked one hunk of a file that it was shown",
    [markedHunks(3), ended("completed", ["a", "b", "c"])],
    { a: null, b: null, c: onlyHunk(3, "limit:unmarked") },
  ],
  [
    "to its end, and the model marked the hunks of a file one by one",
    [markedHunks(3), markedHunks(2), ended("completed", ["a", "b", "c"])],
    { a: null, b: null, c: null },
  ],
  [
    "time over after one hunk",
    [markedHunks(2), ended("timed-out", ["a", "b", "c"])],
    { a: "limit:time", b: "limit:time", c: onlyHunk(2, "limit:time") },
  ],
  [
    "one failed after a hunk, and the next, which marked nothing, was shown everything",
    [markedHunks(2), ended("failed", ["c"]), ended("completed", ["a", "b", "c"])],
    { a: null, b: null, c: null },
  ],
  [
    "one failed after a hunk, and the next read the other",
    [markedHunks(2), ended("failed", ["c"]), markedHunks(3), ended("completed", ["a", "b", "c"])],
    { a: null, b: null, c: null },
  ],
  ["never begun", [], { a: "limit:time", b: "limit:time", c: "limit:time" }],
];

for (const [what, entries, covered] of CASES) {
  test(`coverage: ${what}`, () => {
    assert.deepEqual(Object.fromEntries(coverFiles([PASS], numbered(entries), hunksToRead)), covered);
  });
}

test("coverage: findings are counted for the attempt that recorded them", () => {
  const finding: NotebookEntry = {
    kind: "finding",
    pass: "review",
    // Only its number counts here.
    finding: {} as never,
    replaces: null,
  };
  const reports = reportPasses(
    numbered([
      finding,
      finding,
      { ...finding, replaces: 1 },
      ended("failed", []),
      finding,
      ended("completed", []),
    ]),
  );
  assert.deepEqual(
    reports.map(({ findings, outcome }) => `${outcome} ${findings}`),
    ["failed 2", "completed 1"],
  );
});
