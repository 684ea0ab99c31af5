/** The lens of each later round, by the change, and the order of its files. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { diffTexts } from "../../../test/support/diff-texts.ts";
import type { ChangedFile } from "../change/change.ts";
import type { FileAnalysis } from "./analysis.ts";
import { categoryOf } from "./categories.ts";
import type { Lens } from "./lenses.ts";
import { planRounds } from "./rounds.ts";

const added = (path: string, after = "const a = 1;\n"): ChangedFile => diffTexts({ path, after });
const removed = (path: string, lines: number): ChangedFile =>
  diffTexts({ path, before: "const old = 1;\n".repeat(lines), after: "" });

function plan(files: readonly ChangedFile[], hasGuidelines = false, rounds = 3) {
  const byPath = new Map(
    files.map(({ path }): [string, FileAnalysis] => [
      path,
      {
        path,
        category: categoryOf(path),
        language: "typescript",
        mark: null,
        isSkipped: false,
        risk: 50,
        tier: "full",
      },
    ]),
  );
  const paths = files.map(({ path }) => path);
  const passes = [{ name: "review", paths, seconds: 600 }];
  return planRounds(passes, rounds, { change: { files }, analysis: { byPath }, hasGuidelines });
}

const GUARDED = "const all = await Promise.all(jobs);\n";

test("rounds: the change decides the lenses", () => {
  const rows: readonly [string, readonly ChangedFile[], boolean, readonly Lens[]][] = [
    ["plain new code", [added("src/a.ts")], false, ["siblings", "removed-code"]],
    ["guidelines", [added("src/a.ts")], true, ["guidelines", "siblings"]],
    ["tests", [added("src/a.test.ts")], false, ["tests", "siblings"]],
    ["a few removed lines", [removed("src/a.ts", 9)], false, ["siblings", "removed-code"]],
    ["many removed lines", [removed("src/a.ts", 10)], false, ["removed-code", "siblings"]],
    ["concurrency", [added("src/a.ts", GUARDED)], false, ["concurrency", "siblings"]],
    ["concurrency in prose", [added("docs/a.md", GUARDED)], false, ["siblings", "removed-code"]],
    [
      "everything",
      [added("src/a.ts", GUARDED), removed("src/b.ts", 20), added("src/c.test.ts")],
      true,
      ["concurrency", "removed-code"],
    ],
  ];
  for (const [name, files, hasGuidelines, lenses] of rows)
    assert.deepEqual(
      plan(files, hasGuidelines).map(({ round }) => round.lens),
      lenses,
      name,
    );
});

test("rounds: files of the lens come first, then all by path", () => {
  const files = [added("src/z.ts"), added("src/b.ts", GUARDED), added("src/a.ts")];
  const [second, third, ...rest] = plan(files);
  assert.deepEqual([second?.name, second?.paths], ["second round", ["src/b.ts", "src/a.ts", "src/z.ts"]]);
  assert.deepEqual([third?.name, third?.paths], ["third round", ["src/a.ts", "src/b.ts", "src/z.ts"]]);
  assert.equal(rest.length, 0);
});

test("rounds: no more than the configured ones, and none without files", () => {
  assert.equal(plan([added("src/a.ts")], false, 1).length, 0);
  assert.equal(plan([added("src/a.ts")], false, 2).length, 1);
  assert.equal(plan([], false, 3).length, 0);
});
