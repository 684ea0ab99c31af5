import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFile, changeOf } from "../../../test/support/analysis-fixtures.ts";
import { FLOOR_PASS, modelPass, READ_ALL } from "../../../test/support/sample-publication.ts";
import type { Change } from "../../review/change/change.ts";
import { type LineReading, UNREAD } from "../../review/change/readings.ts";
import { fullScope, type HunkScope, type Scope } from "../../review/change/scope.ts";
import type { Reviewed } from "../../review/publication/reviewed.ts";
import { readingsOfRun } from "./readings-of-run.ts";

const A = changedFile({ path: "a.ts", lines: ["+one", " context", "+two"] });
const B = changedFile({ path: "b.ts", lines: ["+three"] });
const CHANGE = changeOf([A, B], { head: "h2" });

const READ: LineReading = { model: { id: "a:x", head: "h1" } };
const MODEL = { id: "a:y", head: "h2" };

type RunReading = Pick<Reviewed, "coverage" | "passes"> & { readonly change: Change; readonly scope: Scope };

/** The readings per file after a run. The built-in rules are part of each. */
function after({
  change = CHANGE,
  scope = fullScope([A, B], "first", null),
  coverage = READ_ALL,
  passes = [],
}: Partial<RunReading>): Readonly<Record<string, readonly LineReading[]>> {
  const run = readingsOfRun(change, scope, { coverage, passes: [FLOOR_PASS, ...passes] });
  return Object.fromEntries(run.map(({ path, readings }) => [path, readings]));
}

function scopeOf(a: HunkScope, b: HunkScope): Scope {
  return {
    full: null,
    since: "h1",
    byPath: new Map([
      ["a.ts", [a]],
      ["b.ts", [b]],
    ]),
  };
}

test("without a model every changed line is unread: rules read everything every time", () => {
  assert.deepEqual(after({}), { "a.ts": [UNREAD, UNREAD], "b.ts": [UNREAD] });
});

test("a change without a commit is read as uncommitted", () => {
  const { "b.ts": readings } = after({
    change: { ...CHANGE, head: null },
    coverage: { ...READ_ALL, byModel: new Map([["b.ts", null]]) },
    passes: [modelPass("a:y")],
  });
  assert.deepEqual(readings, [{ model: { id: "a:y", head: "uncommitted" } }]);
});

test("files that the model didn't finish are unread", () => {
  const readings = after({
    coverage: {
      ...READ_ALL,
      byModel: new Map([
        ["a.ts", null],
        ["b.ts", "failed:model"],
      ]),
    },
    passes: [modelPass("a:y")],
  });
  assert.deepEqual(readings, { "a.ts": [{ model: MODEL }, { model: MODEL }], "b.ts": [UNREAD] });
});

test("of a file that the model has read in part, the lines of the other hunks are unread", () => {
  const hunks = ["+one", "+two"].map((line) => ({ oldStart: 1, newStart: 1, section: "", lines: [line] }));
  const file = { ...A, hunks };
  const { "a.ts": readings } = after({
    change: changeOf([file], { head: "h2" }),
    scope: fullScope([file], "first", null),
    coverage: {
      ...READ_ALL,
      byModel: new Map([["a.ts", { hunks: new Set([2]), rest: "limit:time" as const }]]),
    },
    passes: [modelPass("a:y")],
  });
  assert.deepEqual(readings, [UNREAD, { model: MODEL }]);
});

test("a file that no model was given is unread by models", () => {
  const coverage = { ...READ_ALL, byModel: new Map([["a.ts", null]]) };
  const readings = after({ coverage, passes: [modelPass("a:y")] });
  assert.deepEqual(readings["b.ts"], [UNREAD]);
});

test("lines keep the reader and the head of the run that read them", () => {
  const coverage = { ...READ_ALL, byModel: new Map([["a.ts", null]]) };
  const readings = after({
    scope: scopeOf(
      { status: "changed", readings: [READ, null, UNREAD] },
      { status: "carried", readings: [READ] },
    ),
    coverage,
    passes: [modelPass("a:y")],
  });
  assert.deepEqual(readings, { "a.ts": [READ, { model: MODEL }], "b.ts": [READ] });
});

test("a review that a model couldn't finish keeps what earlier models have read", () => {
  const coverage = { ...READ_ALL, byModel: new Map([["a.ts", "limit:budget" as const]]) };
  const readings = after({
    scope: scopeOf(
      { status: "changed", readings: [READ, null, UNREAD] },
      { status: "carried", readings: [READ] },
    ),
    coverage,
    passes: [modelPass("a:y", { outcome: "failed" })],
  });
  assert.deepEqual(readings, { "a.ts": [READ, UNREAD], "b.ts": [READ] });
});

const READERS: readonly (readonly [what: string, passes: RunReading["passes"], model: string])[] = [
  ["the only model", [modelPass("a:x")], "a:x"],
  ["the model that finished last", [modelPass("a:x"), modelPass("a:y")], "a:y"],
  [
    "the model that finished, not the one that failed after it",
    [modelPass("a:x"), modelPass("a:y", { outcome: "failed" })],
    "a:x",
  ],
  [
    "the last model, when none finished",
    [modelPass("a:x", { outcome: "failed" }), modelPass("a:y", { outcome: "timed-out" })],
    "a:y",
  ],
];

for (const [what, passes, model] of READERS) {
  test(`lines are read by ${what}`, () => {
    const coverage = { ...READ_ALL, byModel: new Map([["b.ts", null]]) };
    assert.deepEqual(after({ coverage, passes })["b.ts"], [{ model: { id: model, head: "h2" } }]);
  });
}
