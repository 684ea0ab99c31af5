import assert from "node:assert/strict";
import { test } from "node:test";
import { analysisOf, changedFile, changeOf, configTreeOf } from "../../../test/support/analysis-fixtures.ts";
import { RULE_FACTS } from "../../../test/support/findings-fixtures.ts";
import { createInProcessReader } from "../../../test/support/in-process-reader.ts";
import type { Reader } from "../../reading/reader.ts";
import type { ChangeRule, FloorRule, LineRule } from "../../rules/rule.ts";
import { createDegradations } from "../gathering/optional.ts";
import { runRules } from "./run-rules.ts";

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
    if (path === "b.ts") throw new Error("a bug in this rule");
    return null;
  },
};

const FAILS_AS_A_WHOLE: ChangeRule = {
  ...RULE_FACTS,
  id: "fails-as-a-whole",
  kind: "change",
  check() {
    throw new Error("another bug");
  },
};

const SEES_PATHS: ChangeRule = {
  ...RULE_FACTS,
  id: "sees-paths",
  kind: "change",
  check: ({ files: [first], repositoryPaths }) =>
    first === undefined || repositoryPaths === null ? [] : [{ path: first.path, line: 1 }],
};

/** Three files unless others are given; rules may fail on "b.ts". */
async function run(rules: readonly FloorRule[], paths: readonly string[] = ["a.ts", "b.ts", "c.ts"]) {
  const change = changeOf(paths.map((path) => changedFile({ path, lines: ["+code"] })));
  const config = configTreeOf();
  const analysis = analysisOf(change, config);
  const { signal } = new AbortController();
  const degradations = createDegradations(signal);
  const outcome = await runRules(
    { change, analysis, config, listing: async () => new Set(paths), dependencies: null },
    {
      repository: null,
      reader: createInProcessReader({ rules }),
      degradations,
      signal,
      isLate: () => false,
      onProgress: () => {},
    },
  );
  return { ...outcome, degradations: degradations.list(), gaps: degradations.gaps() };
}

test("a failing rule is reported, its file counts as unread, and the other files are reviewed", async () => {
  const { findings, coverage, rules, degradations } = await run([FINDS, FAILS_ON_B]);
  assert.deepEqual(
    findings.map(({ path }) => path),
    ["a.ts", "c.ts"],
  );
  assert.deepEqual([...coverage.unreadPaths], [["b.ts", "failed:rule-error"]]);
  assert.deepEqual(rules, new Set(["finds", "fails"]));
  assert.deepEqual(degradations, [{ what: "a rule failed", message: "b.ts: a bug in this rule", count: 1 }]);
});

test("when a rule over the whole change fails, no file counts as read and findings are kept", async () => {
  const { findings, coverage, degradations } = await run([FINDS, FAILS_AS_A_WHOLE]);
  assert.equal(findings.length, 3);
  assert.deepEqual(new Set(coverage.unreadPaths.values()), new Set(["failed:rule-error"]));
  assert.equal(coverage.unreadPaths.size, 3);
  assert.deepEqual(degradations, [{ what: "rules over the whole change", message: "another bug", count: 1 }]);
});

test("rules over the whole change see all files", async () => {
  const COUNTS: ChangeRule = {
    ...RULE_FACTS,
    id: "counts",
    kind: "change",
    check: ({ files }) => files.map(({ path }) => ({ path, line: 1 })),
  };
  const { findings, coverage, rules } = await run([FINDS, COUNTS], ["a.ts", "b.ts"]);
  const found = findings.map(({ rule, path }) => `${rule} ${path}`);
  assert.deepEqual(found, ["finds a.ts", "finds b.ts", "counts a.ts", "counts b.ts"]);
  assert.equal(coverage.unreadPaths.size, 0);
  assert.deepEqual(rules, new Set(["finds", "counts"]));
});

test("when rules over the whole change fail, no rule's silence proves anything", async () => {
  const { rules } = await run([FINDS, FAILS_AS_A_WHOLE]);
  assert.deepEqual(rules, new Set());
});

test("small files go to the reader together, large ones alone, and findings keep the order of the files", async () => {
  const small = Array.from({ length: 95 }, (_, index) => `small-${index}.ts`);
  const paths = ["large.ts", ...small];
  const { signal } = new AbortController();
  const change = changeOf(
    paths.map((path) =>
      changedFile({ path, lines: path === "large.ts" ? [`+${"x".repeat(40_000)}`] : ["+code"] }),
    ),
  );
  const inner = createInProcessReader({ rules: [FINDS] });
  const asked: string[] = [];
  const reader: Reader = {
    ...inner,
    ask(task, takes, maxMs) {
      asked.push(task);
      return inner.ask(task, takes, maxMs);
    },
  };
  const config = configTreeOf();
  const { findings } = await runRules(
    {
      change,
      analysis: analysisOf(change, config),
      config,
      listing: async () => new Set(paths),
      dependencies: null,
    },
    {
      repository: null,
      reader,
      degradations: createDegradations(signal),
      signal,
      isLate: () => false,
      onProgress: () => {},
    },
  );
  assert.deepEqual(
    findings.map(({ path }) => path),
    paths,
  );
  assert.deepEqual(asked.toSorted(), ["review-change", "review-file", ...Array(5).fill("review-files")]);
});

test("rules get the repository's files when the change has no tests or has a manifest", async () => {
  const seen = async (...paths: readonly string[]): Promise<number> =>
    (await run([SEES_PATHS], paths)).findings.length;
  assert.equal(await seen("a.ts"), 1);
  assert.equal(await seen("a.ts", "a.test.ts"), 0);
  assert.equal(await seen("a.ts", "a.test.ts", "web/package.json"), 1);
});
