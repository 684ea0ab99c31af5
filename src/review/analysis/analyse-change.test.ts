import assert from "node:assert/strict";
import { test } from "node:test";
import {
  changedFile,
  changeOf,
  commitOf,
  configOf,
  configTreeOf,
} from "../../../test/support/analysis-fixtures.ts";
import type { ConfigTree } from "../../config/repo-config/repo-config.ts";
import type { ChangedFile } from "../change/change.ts";
import { analyseChange, type AnalysisSituation } from "./analyse-change.ts";

function situationOf(given: Partial<AnalysisSituation> = {}): AnalysisSituation {
  return {
    config: configTreeOf(),
    attributes: new Map(),
    author: { association: null, mergedPullRequests: null },
    isDependencyBump: false,
    isExplicit: false,
    tags: "all",
    ...given,
  };
}

test("every field of the analysis is filled", () => {
  const change = changeOf(
    [
      changedFile({ path: "src/auth.cc", lines: ["+eval(a);"] }),
      changedFile({ path: "include/auth.h", lines: ["+int a;"] }),
      changedFile({ path: "package-lock.json", lines: ["+{}"], addedLines: 9_000 }),
      changedFile({ path: "api/out.ts", lines: ["+a"] }),
      changedFile({ path: "logo.png", unreadable: "binary" }),
      changedFile({ path: "legacy/a.js", lines: ["+a"] }),
    ],
    { title: "feat(auth)!: add sign-in [security-review]", commits: [commitOf("x")] },
  );
  const analysis = analyseChange(
    change,
    situationOf({
      config: configTreeOf(configOf({ review: { skipPaths: ["legacy/**"] } })),
      attributes: new Map([["api/out.ts", { generated: true }]]),
      author: { association: "OWNER", mergedPullRequests: null },
    }),
  );

  const rows = analysis.files.map((file) =>
    [file.path, file.category, file.language, file.mark, file.isSkipped, file.tier].join(" "),
  );
  assert.deepEqual(rows, [
    "src/auth.cc source cpp  false full",
    "include/auth.h source cpp  false full",
    "package-lock.json config json lockfile false mentioned",
    "api/out.ts source typescript generated false mentioned",
    "logo.png source unknown  false mentioned",
    "legacy/a.js source javascript  true mentioned",
  ]);
  assert.equal(analysis.byPath.get("src/auth.cc"), analysis.files[0]);
  assert.ok((analysis.byPath.get("src/auth.cc")?.risk ?? 0) > 50);
  assert.equal(analysis.byPath.get("package-lock.json")?.risk, 0);
  assert.deepEqual(analysis.scale, {
    files: 3,
    addedLines: 2,
    removedLines: 0,
    isLarge: false,
    isTriaged: false,
  });
  assert.deepEqual(
    [analysis.intent.type, analysis.intent.scope, analysis.intent.breakingSource],
    ["feat", "auth", "title"],
  );
  assert.deepEqual([analysis.mode.mode, analysis.mode.focusedCategories], ["strict", ["security"]]);
  assert.deepEqual(
    analysis.riskSignals.map((signal) => signal.id),
    ["authentication", "code-execution", "dependencies"],
  );
  assert.equal(analysis.authorTier, "core");
  assert.equal(analysis.timeBudgetSeconds, 600);
  assert.deepEqual(analysis.passes, [
    { name: "review", paths: ["src/auth.cc", "include/auth.h"], seconds: 600 },
  ]);
});

test("a large change is triaged, timed and split", () => {
  const files = Array.from({ length: 120 }, (_, index) =>
    changedFile({ path: `src/${index}.ts`, lines: ["+a"] }),
  );
  const config = configOf({ review: { chunked: { enabled: true } }, largePR: { fileThreshold: 50 } });
  const analysis = analyseChange(changeOf(files), situationOf({ config: configTreeOf(config) }));
  assert.equal(analysis.scale.isTriaged, true);
  assert.equal(analysis.timeBudgetSeconds, 900);
  assert.deepEqual(
    analysis.passes.map((pass) => pass.seconds),
    [300, 300, 300],
  );
  assert.equal(analysis.files.filter((file) => file.tier === "full").length, 90);
});

test("skipped paths come from the nearest configuration and are relative to the repository", () => {
  const root = configOf({ review: { skipPaths: ["*.gen"] } });
  const nested = configOf({ review: { skipPaths: ["pkg/old/**"] } });
  const config: ConfigTree = {
    ...configTreeOf(root),
    forPath: (path) => (path.startsWith("pkg/") ? nested : root),
  };
  const files = ["a.gen", "pkg/a.gen", "pkg/old/a.ts", "old/a.ts"].map((path) =>
    changedFile({ path, lines: ["+a"] }),
  );
  const analysis = analyseChange(changeOf(files), situationOf({ config }));
  assert.deepEqual(
    analysis.files.map((file) => file.isSkipped),
    [true, false, true, false],
  );
});

test("the base decides whose [no-review] counts", () => {
  const change = changeOf([], { title: "[no-review] x" });
  const skips = (allowNoReview: string, tags: "all" | "none"): boolean => {
    const config = configTreeOf(configOf({ review: { allowNoReview } }));
    return analyseChange(change, situationOf({ config, tags })).intent.skipReview;
  };
  assert.deepEqual(
    ["writers", "everyone", "nobody"].map((allowed) => [skips(allowed, "all"), skips(allowed, "none")]),
    [
      [true, false],
      [true, true],
      [false, false],
    ],
  );
});

test("a tag doesn't stop a review that a person requested", () => {
  const change = changeOf([], { title: "[no-review] x" });
  assert.equal(analyseChange(change, situationOf({ isExplicit: false })).intent.skipReview, true);
  assert.equal(analyseChange(change, situationOf({ isExplicit: true })).intent.skipReview, false);
});

test("an empty change has an analysis", () => {
  const analysis = analyseChange(changeOf([]), situationOf());
  assert.deepEqual(analysis.files, []);
  assert.deepEqual(analysis.passes, [{ name: "review", paths: [], seconds: 600 }]);
});

/** Counts how often hunks and configurations are read. */
function countWork(fileCount: number): { readonly hunks: number; readonly configs: number } {
  let hunks = 0;
  let configs = 0;
  const files = Array.from({ length: fileCount }, (_, index): ChangedFile => {
    const file = changedFile({
      path: `src/${index % 50}/${index}.ts`,
      lines: ["+const a = 1;", "-const b = 2;"],
    });
    return Object.defineProperty({ ...file }, "hunks", {
      get: () => {
        hunks += 1;
        return file.hunks;
      },
    });
  });
  const tree = configTreeOf();
  const forPath: ConfigTree["forPath"] = (path) => {
    configs += 1;
    return tree.forPath(path);
  };
  analyseChange(changeOf(files), situationOf({ config: { ...tree, forPath } }));
  return { hunks, configs };
}

test("the work is linear in the number of files", () => {
  const small = countWork(100);
  const large = countWork(10_000);
  assert.equal(small.configs, 100);
  assert.equal(large.configs, 10_000);
  assert.equal(large.hunks, small.hunks * 100);
});
