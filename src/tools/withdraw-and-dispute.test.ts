/** Tests of withdraw_finding and dispute_rule. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { findingOf } from "../../test/support/findings-fixtures.ts";
import { toolBench } from "../../test/support/tool-bench.ts";
import { listEvidence, withDisputes } from "../review/findings/disputable.ts";
import type { Finding } from "../review/findings/finding.ts";
import { disputesIn, foundIn } from "./notebook.ts";
import { REVIEW_TOOLS } from "./tools.ts";
import { createToolbox } from "./toolbox.ts";

const FILES = {
  before: { "src/a.ts": "export const a = 1;\n", "src/b.ts": "one();\ntwo();\n" },
  after: { "src/a.ts": "export const a = 1;\nrun(a);\n" },
};

const DISPUTE = { because: "b awaits it.", evidence: { path: "src/b.ts", line: 2 } };

const RECORDED = {
  path: "src/a.ts",
  quote: "run(a);",
  title: "run is never awaited",
  body: "It rejects.",
  severity: "major",
  category: "correctness",
};

const ofRule = (rule: string, more: Partial<Finding> = {}): Finding =>
  findingOf({ path: "src/a.ts", source: "floor", rule, title: rule, quote: "run(a);", lineHint: 2, ...more });

async function open(t: TestContext, evidence: readonly Finding[] = []) {
  const bench = await toolBench(t, { ...FILES, context: { evidence: listEvidence(evidence, ["src/a.ts"]) } });
  const { notebook } = bench.context;
  return { ...bench, notebook, reasons: () => foundIn(notebook).map((each) => each.withdrawnBecause) };
}

test("a withdrawn finding stays in the notebook with the reason, and can be recorded again", async (t) => {
  const { ask, askWrongly, reasons, notebook } = await open(t);
  assert.match(await ask("record_finding", RECORDED), /^Recorded \(1\):/);
  for (const number of [2, 99]) {
    const answer = await askWrongly("withdraw_finding", { number, because: "x" });
    assert.equal(answer, `(${number}) isn't a finding that you can withdraw. These are: (1).`);
  }
  assert.equal(
    await ask("withdraw_finding", { number: 1, because: " The caller\nawaits it.\u0007 " }),
    'Withdrawn: (1) "run is never awaited".',
  );
  assert.deepEqual(reasons(), ["The caller awaits it."]);
  assert.match(await askWrongly("withdraw_finding", { number: 1, because: "again" }), /There are none\./);
  assert.match(await ask("record_finding", RECORDED), /^Recorded \(3\):/);
  assert.deepEqual(reasons(), ["The caller awaits it.", undefined]);
  await notebook.append({ ...(notebook.entries()[0] ?? assert.fail()), pass: "part 2 of 2" });
  assert.match(
    await askWrongly("withdraw_finding", { number: 4, because: "not mine" }),
    /These are: \(3\)\./,
  );
});

test("a dispute needs a listed finding and a line that was read, and changes nothing else", async (t) => {
  const evidence = [ofRule("unawaited"), ofRule("secret-in-code"), ofRule("hidden-characters")];
  const { ask, askWrongly, notebook } = await open(t, evidence);
  const given = { finding: "r1", because: "b awaits it.", path: "src/b.ts", line: 2 };
  assert.match(await askWrongly("dispute_rule", given), /you haven't read line 2 of "src\/b\.ts"/);
  await ask("read_file", { path: "src/b.ts", to: 1 });
  assert.match(await askWrongly("dispute_rule", given), /you haven't read/);
  for (const [wrong, words] of [
    [{ finding: "r2" }, /isn't the id/],
    [{ finding: "r3" }, /isn't the id/],
    [{ finding: "r9" }, /isn't the id/],
    [{ path: "../etc/passwd", line: 1 }, /haven't read/],
    [{ path: "src/nowhere.ts", line: 1 }, /haven't read/],
  ] as const)
    assert.match(await askWrongly("dispute_rule", { ...given, ...wrong }), words);
  await ask("read_file", { path: "src/b.ts" });
  assert.match(await ask("dispute_rule", { ...given, finding: "(R1)" }), /^r1 is disputed\./);
  assert.match(await ask("dispute_rule", { ...given, because: "again" }), /already disputed/);
  const findings = withDisputes(evidence, disputesIn(notebook));
  assert.deepEqual(
    findings,
    evidence.map((finding, index) => ({ ...finding, ...(index === 0 ? { disputed: DISPUTE } : {}) })),
  );
});

test("a line of the diff counts as read, and 20 disputes are the limit", async (t) => {
  const evidence = Array.from({ length: 25 }, (_, index) => ofRule(`rule-${index}`));
  const { ask, call, notebook } = await open(t, evidence);
  await ask("show_diff", {});
  for (const [index] of evidence.entries())
    await call("dispute_rule", { finding: `r${index + 1}`, because: "No.", path: "src/a.ts", line: 2 });
  assert.equal(disputesIn(notebook).size, 20);
});

test("dispute_rule is offered only when there is something to dispute", async (t) => {
  const { context } = await open(t);
  const isOffered = (findings: readonly Finding[]): boolean =>
    createToolbox(
      REVIEW_TOOLS,
      { ...context, evidence: listEvidence(findings, ["src/a.ts"]) },
      { now: () => 0, windDownAtMs: 1 },
    ).tools.some(({ name }) => name === "dispute_rule");
  assert.deepEqual(
    [
      [],
      [ofRule("secret-in-code")],
      [ofRule("a", { source: "bump" })],
      [ofRule("a", { path: "src/other.ts" })],
      [ofRule("a")],
    ].map(isOffered),
    [false, false, false, false, true],
  );
});
