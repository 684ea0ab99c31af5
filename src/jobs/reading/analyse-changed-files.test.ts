import assert from "node:assert/strict";
import { test } from "node:test";
import { analysisOf, changedFile, changeOf, configTreeOf } from "../../../test/support/analysis-fixtures.ts";
import { findingOf } from "../../../test/support/findings-fixtures.ts";
import { FIRST_SCOPE } from "../../../test/support/no-context.ts";
import type { Analysers } from "../../linters/analysers.ts";
import { NO_PRIOR_REVIEW } from "../../review/context/prior-findings.ts";
import { createDegradations } from "../gathering/optional.ts";
import type { PreparedReview } from "../gathering/prepared-review.ts";
import { analyseChangedFiles } from "./analyse-changed-files.ts";

/** Finds every changed line with "bad". */
const ANALYSERS: Analysers = {
  isFor: () => true,
  analyse: async (files) => ({
    reports: [],
    findings: files.flatMap(({ path, text, added }) =>
      (text ?? "")
        .split("\n")
        .flatMap((quote, index) =>
          quote.includes("bad") && added.has(index + 1)
            ? [findingOf({ path, quote, lineHint: index + 1, source: "analyser", rule: "tool/bad" })]
            : [],
        ),
    ),
  }),
};

test("an analyser's finding is marked when the analyser also finds it before the change", async () => {
  const lines = ["-bad(old)", "+bad(new)", " fine", "+bad(more)"];
  const file = changedFile({ path: "src/a.py", status: "modified", lines });
  const change = changeOf([file], { kind: "working-tree" });
  const tree = configTreeOf();
  const { signal } = new AbortController();
  const prepared = {
    change,
    analysis: analysisOf(change, tree),
    config: { tree },
    scope: FIRST_SCOPE,
    prior: NO_PRIOR_REVIEW,
    degradations: createDegradations(signal),
  } as unknown as PreparedReview;
  const repository = {
    readFiles: async () => new Map([["src/a.py", "bad(new)\nfine\nbad(more)\n"]]),
  };
  const { findings } = await analyseChangedFiles(prepared, {
    analysers: ANALYSERS,
    repository: repository as never,
    signal,
  });
  assert.deepEqual(
    findings.map(({ lineHint, isExisting }) => [lineHint, isExisting === true]),
    [
      [1, true],
      [3, false],
    ],
  );
});

test("a linter isn't started for a file that only gains comments and empty lines", async () => {
  const rows: readonly (readonly [path: string, lines: readonly string[], isChecked: boolean])[] = [
    ["src/a.py", ["+# The total.", "+", "+    # In cents."], false],
    ["src/a.py", ["+# The total.", "+total = 1"], true],
    ["src/a.py", ["-total = 1", "+# total = 1"], false],
    // A line of a string with expressions.
    ["src/a.py", ["+# {total}"], true],
    ["run.sh", ["+# Done."], false],
    ["run.sh", ["+# $(done)"], true],
    ["run.sh", ["+#!/bin/dash"], true],
    // A linter reports characters that hide code.
    ["src/a.py", ["+# \u202e"], true],
    [".github/workflows/ci.yml", ["+# Tests."], false],
    [".github/workflows/ci.yml", ["+on: push"], true],
    ["Dockerfile", ["+# Tests."], false],
    // A private name.
    ["src/a.js", ["+#total"], true],
    ["src/a.ts", ["+// The total."], true],
  ];
  const tree = configTreeOf();
  const { signal } = new AbortController();
  const found = (...paths: readonly string[]) => ({ findings: paths.map((path) => ({ path })) });
  const first = rows.map(([path, lines, isChecked]) => ({ path, lines, isChecked, prior: NO_PRIOR_REVIEW }));
  // Only a linter that looked can end a finding of an earlier review. A file that is gone can have any new name.
  const again = rows.flatMap(([path, lines, isChecked]) => [
    { path, lines, isChecked: true, prior: found(path) },
    { path, lines, isChecked: true, prior: found("src/gone.py") },
    { path, lines, isChecked, prior: found("src/other.rs") },
  ]);
  const other = changedFile({ path: "src/other.rs", status: "modified", lines: ["-a"] });
  for (const { path, lines, isChecked, prior } of [...first, ...again]) {
    const change = changeOf([changedFile({ path, status: "modified", lines }), other], {
      kind: "working-tree",
    });
    const checked: string[] = [];
    const prepared = {
      change,
      analysis: analysisOf(change, tree),
      config: { tree },
      scope: FIRST_SCOPE,
      prior,
      degradations: createDegradations(signal),
    } as unknown as PreparedReview;
    await analyseChangedFiles(prepared, {
      analysers: {
        isFor: () => true,
        async analyse(files) {
          checked.push(...files.map((file) => file.path));
          return { findings: [], reports: [] };
        },
      },
      repository: { readFiles: async () => new Map() } as never,
      signal,
    });
    assert.deepEqual(checked, isChecked ? [path] : [], `${path}: ${lines.join(" ")}`);
  }
});
