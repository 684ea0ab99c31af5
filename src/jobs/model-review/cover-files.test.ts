import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_TOKENS, type OutcomeKind, type PassStep } from "../../model/model.ts";
import type { NotebookEntry, NumberedEntry } from "../../tools/notebook.ts";
import { coverFiles } from "./cover-files.ts";
import { reportPasses } from "./report-passes.ts";

const PASS = { name: "review", paths: ["a", "b", "c"], seconds: 600 };

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

const marked: NotebookEntry = { kind: "reviewed", pass: "review", paths: ["b"] };

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
  ["never begun", [], { a: "limit:time", b: "limit:time", c: "limit:time" }],
];

for (const [what, entries, covered] of CASES) {
  test(`coverage: ${what}`, () => {
    assert.deepEqual(Object.fromEntries(coverFiles([PASS], numbered(entries))), covered);
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
