import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { configOf } from "../../../test/support/analysis-fixtures.ts";
import type { Tier } from "./analysis.ts";
import { planPasses } from "./passes.ts";

const CHUNKED = { ...configOf().values.review.chunked, enabled: true };

function read(paths: readonly string[], tier: Tier = "full"): readonly { path: string; tier: Tier }[] {
  return paths.map((path) => ({ path, tier }));
}

function numbered(folder: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${folder}/${String(index).padStart(3, "0")}.ts`);
}

const PLANS: readonly [
  files: number,
  reviewable: number,
  budget: number,
  chunked: object,
  passes: number,
  seconds: number,
][] = [
  [200, 200, 900, { enabled: false }, 1, 900],
  [100, 100, 900, {}, 1, 900],
  [101, 101, 900, {}, 3, 300],
  [50, 101, 900, {}, 2, 450],
  [20, 101, 900, {}, 2, 450],
  [1, 101, 900, {}, 1, 900],
  [0, 101, 900, {}, 1, 900],
  [1_000, 1_000, 900, {}, 3, 300],
  [1_000, 1_000, 900, { maxChunks: 10 }, 10, 120],
  [101, 101, 300, {}, 3, 120],
  [101, 101, 300, { minSeconds: 60 }, 3, 100],
];

test("passes are counted by files and timed by the budget", () => {
  for (const [files, reviewableFiles, budgetSeconds, chunked, passes, seconds] of PLANS) {
    const facts = { files: read(numbered("src", files)), reviewableFiles, budgetSeconds };
    const plan = planPasses(facts, { ...CHUNKED, ...chunked });
    assert.equal(plan.length, passes, JSON.stringify([files, reviewableFiles, chunked]));
    for (const pass of plan) assert.equal(pass.seconds, seconds);
  }
});

test("folders stay together", () => {
  const paths = [...numbered("src/api", 40), ...numbered("src/web", 33), ...numbered("docs", 35)];
  const plan = planPasses({ files: read(paths), reviewableFiles: 108, budgetSeconds: 900 }, CHUNKED);
  const folders = plan.map((pass) => [
    ...new Set(pass.paths.map((path) => path.slice(0, path.lastIndexOf("/")))),
  ]);
  assert.deepEqual(folders, [["docs"], ["src/api"], ["src/web"]]);
  assert.deepEqual(
    plan.map((pass) => pass.name),
    ["part 1 of 3", "part 2 of 3", "part 3 of 3"],
  );
});

test("mentioned files are in no pass, and one pass keeps the order", () => {
  const files = [...read(["b", "a"]), ...read(["c"], "abbreviated"), ...read(["d"], "mentioned")];
  const plan = planPasses({ files, reviewableFiles: 4, budgetSeconds: 600 }, CHUNKED);
  assert.deepEqual(plan, [{ name: "review", paths: ["b", "a", "c"], seconds: 600 }]);
});

test("passes are a partition without empty parts", () => {
  const path = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 5 });
  const paths = fc.uniqueArray(
    path.map((names) => names.join("/")),
    { minLength: 2, maxLength: 150 },
  );
  const chunked = fc.record({
    maxChunks: fc.integer({ min: 2, max: 10 }),
    filesPerChunk: fc.integer({ min: 5, max: 100 }),
  });
  const property = fc.property(paths, chunked, (given, settings) => {
    const facts = { files: read(given), reviewableFiles: 1_000, budgetSeconds: 900 };
    const plan = planPasses(facts, { ...CHUNKED, ...settings });
    assert.ok(plan.length >= 2 && plan.length <= settings.maxChunks);
    assert.ok(plan.every((pass) => pass.paths.length > 0));
    assert.deepEqual(plan.flatMap((pass) => pass.paths).sort(), [...given].sort());
  });
  fc.assert(property);
});
