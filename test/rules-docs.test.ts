/** docs/rules.md shows the hits of each rule, and works without them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { renderRulesDocs } from "../scripts/render-rules-docs.ts";

const NOT_MEASURED = { repositories: 0, commits: 0, addedLines: 0, rules: {} };

function factsOf(rule: string, docs: string): string {
  const [, section = ""] = docs.split(`### ${rule}\n`);
  return /\*([^*\n]+)\*\n/.exec(section)?.[1] ?? "";
}

test("before a measurement, no rule has a figure", () => {
  const docs = renderRulesDocs(NOT_MEASURED);
  assert.doesNotMatch(docs, /\bhits?\*$|were counted/m);
  assert.match(factsOf("empty-catch", docs), /^\w[\w-]* · built-in · javascript, /);
});

test("a rule has its hits and judgements, and one without hits says so", () => {
  const rules = { "empty-catch": { hits: 12, judged: 10, true: 9 }, "bare-except": { hits: 1 } };
  const docs = renderRulesDocs({ repositories: 20, commits: 2_000, addedLines: 123_456, rules });
  assert.match(docs, /on 2,000 commits of 20 public repositories with 123,456 added lines: 13 findings\./);
  assert.match(factsOf("empty-catch", docs), / · 12 hits, 9 of 10 worth fixing$/);
  assert.match(factsOf("bare-except", docs), / · 1 hit$/);
  assert.match(factsOf("secret-in-code", docs), / · no hits$/);
});

test("the rules of linters are listed with their origin", () => {
  assert.match(factsOf("ruff/F821", renderRulesDocs(NOT_MEASURED)), / · ruff · python$/);
});
