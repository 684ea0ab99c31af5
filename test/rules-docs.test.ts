/** docs/rules.md shows the evidence of each rule, and every built-in rule has some or is a guard. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { renderRulesDocs, type RuleEvidence, type RuleHits } from "../scripts/render-rules-docs.ts";
import { ANALYSER_RULE_IDS } from "../src/linters/analyser-rule-ids.ts";
import { FLOOR_RULE_IDS } from "../src/rules/rule-ids.ts";

function hitsOf(rules: RuleHits["rules"]): RuleHits {
  return { repositories: 20, commits: 2_000, addedLines: 123_456, planted: { first: 9, second: 11 }, rules };
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
    const facts = factsOf("empty-catch", renderRulesDocs(hitsOf({ "empty-catch": evidence })));
    assert.equal(facts.slice(facts.lastIndexOf(" · ") + 3), wanted);
  });

test("the figures of the measurement add up", () => {
  const docs = renderRulesDocs(hitsOf({ "empty-catch": { hits: 12 }, "secret-in-code": { hits: 1 } }));
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
  assert.match(factsOf("ruff/F821", renderRulesDocs(hitsOf({}))), / · ruff · python · no hits$/);
});
