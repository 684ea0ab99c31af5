/** docs/rules.md shows the evidence of each rule, and every built-in rule has some or is a guard. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { JudgedRepairs } from "../scripts/render-judged-repairs.ts";
import {
  renderRulesDocs,
  type RuleEvidence,
  type RuleFigures,
  type RuleHits,
} from "../scripts/render-rules-docs.ts";
import {
  type JudgedFinding,
  type JudgedRuns,
  renderJudgedReadme,
  renderProvenRules,
} from "../scripts/render-judged-run.ts";
import { ANALYSER_RULE_IDS } from "../src/linters/analyser-rule-ids.ts";
import { FLOOR_RULE_IDS } from "../src/rules/rule-ids.ts";

const finding = (
  rule: string,
  severity: JudgedFinding["severity"],
  verdict: JudgedFinding["verdict"],
): JudgedFinding => ({
  repository: "acme/shop",
  commit: "a".repeat(40),
  path: "a.ts",
  line: 1,
  rule,
  severity,
  verdict,
  because: verdict === null ? null : "read",
});

const EARLIER: JudgedRuns[number] = {
  date: "2026-01-01",
  seed: 1,
  addedLines: 10,
  incomplete: 0,
  fixed: [],
  commits: { "acme/forum": ["c".repeat(40)] },
  findings: [finding("unreachable-code", "medium", "wanted")],
};

const LAST: JudgedRuns[number] = {
  date: "2026-02-02",
  seed: 1,
  addedLines: 100,
  incomplete: 0,
  fixed: ["bare-except"],
  commits: { "acme/shop": ["a".repeat(40), "b".repeat(40)] },
  findings: [
    ...Array.from({ length: 6 }, () => finding("empty-catch", "medium", "wanted")),
    finding("empty-catch", "medium", "false"),
    finding("bare-except", "must-fix", "unwanted"),
    finding("bare-except", "minor", null),
    finding("bare-except", null, "false"),
  ],
};

const RUNS: JudgedRuns = [EARLIER, LAST];

function hitsOf(rules: RuleHits["rules"]): RuleHits {
  return { repositories: 20, commits: 2_000, addedLines: 123_456, planted: { first: 9, second: 11 }, rules };
}

const REPAIRS: JudgedRepairs = {
  repositories: {
    "acme/shop": { isTuning: false, commits: ["a", "b", "c", "d"] },
    "acme/forum": { isTuning: true, commits: ["e"] },
  },
  findings: [
    { ...finding("empty-catch", "medium", null), commit: "a", verdict: "named" },
    { ...finding("bare-except", "medium", null), commit: "a", verdict: "named" },
    { ...finding("bare-except", null, null), commit: "b", verdict: "false" },
    { ...finding("bare-except", "minor", null), commit: "c", verdict: "other" },
  ],
};

function figuresOf(hits: RuleHits): RuleFigures {
  return { hits, runs: RUNS, repairs: REPAIRS };
}

function factsOf(rule: string, docs: string): string {
  const [, section = ""] = docs.split(`### ${rule}\n`);
  return /\*([^*\n]+)\*\n/.exec(section)?.[1] ?? "";
}

const EVIDENCE: readonly (readonly [RuleEvidence, string])[] = [
  [{ hits: 10, judged: 10, true: 9 }, "real commits: 9 of 10 right"],
  [{ hits: 12, judged: 10, true: 9 }, "real commits: 12 hits, 9 of 10 right"],
  [{ hits: 1 }, "real commits: 1 hit"],
  [{ planted: { first: 1, third: 2 } }, "planted: 3"],
  [{ hits: 1, judged: 1, true: 0, planted: { first: 1 } }, "real commits: 0 of 1 right; planted: 1"],
  [{ guard: "leaked secrets" }, "guard: leaked secrets"],
  [{}, "no hits"],
];

for (const [evidence, wanted] of EVIDENCE)
  test(`the evidence of a rule: ${wanted}`, () => {
    const facts = factsOf("empty-catch", renderRulesDocs(figuresOf(hitsOf({ "empty-catch": evidence }))));
    assert.equal(facts.slice(facts.lastIndexOf(" · ") + 3), wanted);
  });

test("the figures of the measurement add up", () => {
  const docs = renderRulesDocs(
    figuresOf(hitsOf({ "empty-catch": { hits: 12 }, "secret-in-code": { hits: 1 } })),
  );
  assert.match(docs, /on 2,000 commits of 20 public repositories with 123,456 added lines \(13 findings\)/);
  assert.match(docs, /^20 planted bugs/m);
});

/** The benches write the file, in this shape. */
const KEPT = JSON.parse(readFileSync(new URL("../docs/rule-hits.json", import.meta.url), "utf8")) as RuleHits;

test("every built-in rule has evidence or says what it guards", () => {
  const without = FLOOR_RULE_IDS.filter((id) => {
    const { true: right = 0, planted, guard } = KEPT.rules[id] ?? {};
    return right === 0 && planted === undefined && guard === undefined;
  });
  assert.deepEqual(without, []);
});

test("the evidence is about rules that exist", () => {
  const known = new Set([...FLOOR_RULE_IDS, ...ANALYSER_RULE_IDS]);
  assert.deepEqual(
    Object.keys(KEPT.rules).filter((id) => !known.has(id)),
    [],
  );
});

test("the rules of linters are listed with their origin", () => {
  assert.match(factsOf("ruff/F821", renderRulesDocs(figuresOf(hitsOf({})))), / · ruff · python · no hits$/);
});

test("the tables count the verdicts of the last run by severity and by rule", () => {
  const docs = renderRulesDocs(figuresOf(hitsOf({})));
  assert.match(docs, /^\| must-fix \| 1 \| 0 \| 1 \| 0 \|$/m);
  assert.match(docs, /^\| medium \| 7 \| 6 \| 0 \| 1 \|$/m);
  assert.match(docs, /^\| all \| 8 \| 6 \| 1 \| 1 \|$/m);
  assert.match(
    docs,
    /^Fixed or removed after the reading, so no longer unseen: `bare-except`\. Before 1 rule was fixed or removed/m,
  );
  assert.match(
    docs,
    /Before 1 rule was fixed or removed after the reading, 6 of 9 findings were worth a comment and 2 wrong\./,
  );
  assert.match(docs, /^\| empty-catch \| 7 \| 6 \| 0 \| 1 \|$/m);
  assert.match(docs, /^An earlier run, begun on 2026-01-01 .* on 1 commit of 1 public repository/m);
});

test("a repair counts once, and the halves stay apart", () => {
  const docs = renderRulesDocs(figuresOf(hitsOf({})));
  assert.match(docs, /^\| 1 repository, unseen \| 4 \| 1 \(25\.0 %\) \| 3 \| 1 \| 0 \| 0 \|$/m);
  assert.match(docs, /^\| 1 repository, for tuning \| 1 \| 0 \(0\.0 %\) \| 0 \| 0 \| 0 \| 0 \|$/m);
});

test("the README has the same figures", () => {
  const page = "a\n<!-- judged: generated by `npm run generate` -->\nold\n<!-- /judged -->\nb";
  const text = renderJudgedReadme(page, RUNS);
  assert.match(text, /On 2 commits of 1 public repository .* 8 findings: 6 were true and worth a comment/);
  assert.match(text, /1 was critical or must-fix \(0 worth a comment, 0 wrong\)/);
  assert.doesNotMatch(text, /old/);
});

test("10 judged findings prove a rule when 85 % of them are wanted", () => {
  const before = (right: number): RuleHits => hitsOf({ "empty-catch": { judged: 7, true: right } });
  assert.deepEqual(JSON.parse(renderProvenRules(RUNS, before(6))), ["empty-catch"]);
  assert.deepEqual(JSON.parse(renderProvenRules(RUNS, before(5))), []);
  assert.deepEqual(
    JSON.parse(renderProvenRules(RUNS, hitsOf({ "empty-catch": { judged: 2, true: 2 } }))),
    [],
  );
});

test("a rule isn't proven by findings that it was fixed on", () => {
  const findings = LAST.findings.map((each) =>
    each.verdict === "false" ? { ...each, severity: null } : each,
  );
  const fixed = [{ ...LAST, findings }];
  assert.deepEqual(
    JSON.parse(renderProvenRules(fixed, hitsOf({ "empty-catch": { judged: 4, true: 3 } }))),
    [],
  );
});
