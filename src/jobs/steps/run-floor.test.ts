import assert from "node:assert/strict";
import { test } from "node:test";
import { analysisOf, changedFile, changeOf, configTreeOf } from "../../../test/support/analysis-fixtures.ts";
import { RULE_FACTS } from "../../../test/support/findings-fixtures.ts";
import type { ChangeRule, LineRule } from "../../review/floor/rule.ts";
import { createAstGrepSyntax } from "../../syntax/ast-grep.ts";
import { createDegradations } from "./optional.ts";
import { runFloor } from "./run-floor.ts";

const FINDS: LineRule = {
  ...RULE_FACTS,
  id: "finds",
  kind: "line",
  languages: "any",
  inTests: true,
  check: ({ line }) => ({ line }),
};

const FAILS_ON_B: LineRule = {
  ...FINDS,
  id: "fails",
  check(_, { path }) {
    if (path === "b.ts") throw new Error("a defect of this rule");
    return null;
  },
};

const FAILS_AS_A_WHOLE: ChangeRule = {
  ...RULE_FACTS,
  id: "fails-as-a-whole",
  kind: "change",
  check() {
    throw new Error("another defect");
  },
};

test("a rule that fails costs its file, is told, and the other files are reviewed", async () => {
  const change = changeOf(["a.ts", "b.ts", "c.ts"].map((path) => changedFile({ path, lines: ["+code"] })));
  const config = configTreeOf();
  const analysis = analysisOf(change, config);
  const { signal } = new AbortController();
  const degradations = createDegradations(signal);
  const { findings, coverage, rulesRun } = await runFloor(
    { change, analysis, config, listing: async () => null },
    {
      repository: null,
      loadSyntax: async () => createAstGrepSyntax(),
      degradations,
      signal,
      isLate: () => false,
      onProgress: () => {},
    },
    [FINDS, FAILS_ON_B, FAILS_AS_A_WHOLE],
  );
  assert.deepEqual(
    findings.map(({ path }) => path),
    ["a.ts", "c.ts"],
  );
  assert.deepEqual([...coverage.failedPaths], ["b.ts"]);
  assert.equal(rulesRun, 3);
  assert.deepEqual(degradations.list(), [
    { what: "a rule failed", message: "b.ts: a defect of this rule", count: 1 },
    { what: "rules over the whole change", message: "another defect", count: 1 },
  ]);
});
