/** Pattern rules: what a pattern reports, and how it names it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFile, fileAnalysis } from "../../../test/support/analysis-fixtures.ts";
import { RULE_FACTS } from "../../../test/support/findings-fixtures.ts";
import { createAstGrepSyntax } from "../../syntax/ast-grep.ts";
import type { CodePattern, PatternRule, RuleMatch } from "../rule.ts";
import { viewFile, withText } from "../view-file.ts";
import { patternMatches } from "./pattern-matches.ts";
import { nearestOf, withArguments, withFields } from "./pattern-parts.ts";
import { createRuleTree } from "./rule-tree.ts";

const syntax = createAstGrepSyntax();

const CODE = `function outer() {
  try {
    save(file, 1);
  } finally {
    return file;
  }
}
const made = () => {
  log(a.b(c).d, 0);
};
return made;
`;

/** The matches of a rule with this pattern; null if the rule was stopped. */
function run(pattern: CodePattern, code = CODE): readonly RuleMatch[] | null {
  const rule: PatternRule = {
    ...RULE_FACTS,
    id: "a-rule",
    kind: "pattern",
    languages: ["javascript"],
    trigger: /./,
    patterns: [pattern],
  };
  const path = "src/a.js";
  const lines = code.split("\n").map((line) => `+${line}`);
  const file = changedFile({ path, status: "added", newStart: 1, lines });
  const view = withText(viewFile(file, fileAnalysis({ path, language: "javascript" })), code);
  const tree = syntax.parse("javascript", code);
  assert.ok(tree !== null);
  const found: RuleMatch[] = [];
  const isFinished = createRuleTree(tree).work((root) => found.push(...patternMatches(rule, root, view)));
  return isFinished ? found : null;
}

const CALL = { pattern: "$NAME($FIRST, $_)" };

const ROWS: readonly (readonly [string, CodePattern, readonly RuleMatch[]])[] = [
  ["every match, by its first line", { rule: CALL }, [{ line: 3 }, { line: 9 }]],
  [
    "texts of meta-variables; other words in place of what is no plain name",
    { rule: CALL, title: "Saved {FIRST|a value}", detail: "`{NAME}` saves." },
    [
      { line: 3, title: "Saved `file`", detail: "`save` saves." },
      { line: 9, title: "Saved a value", detail: "`log` saves." },
    ],
  ],
  [
    "the node of a meta-variable, and where something is missing",
    { rule: withFields("try_statement", { finalizer: "$END", body: "save" }), at: "END", missingIn: "END" },
    [{ line: 4, missingIn: { line: 4, endLine: 6 } }],
  ],
  [
    "a replacement of code that is alone on its line",
    { rule: { kind: "return_statement" }, severity: "minor", replacement: "stop();" },
    [
      { line: 5, severity: "minor", suggestion: "    stop();" },
      { line: 11, severity: "minor", suggestion: "stop();" },
    ],
  ],
  [
    "calls by their arguments",
    { rule: withArguments("call_expression", "^\\w+$", { 2: "^1$" }) },
    [{ line: 3 }],
  ],
  [
    "code in the nearest of some nodes",
    {
      rule: {
        kind: "return_statement",
        inside: nearestOf({ kind: "finally_clause" }, "finally_clause function_declaration"),
      },
    },
    [{ line: 5 }],
  ],
  [
    "meta-variables with constraints",
    { rule: CALL, constraints: { NAME: { regex: "^log$" } } },
    [{ line: 9 }],
  ],
  ["nothing for another language", { languages: ["python"], rule: CALL }, []],
];

for (const [name, pattern, expected] of ROWS) test(name, () => assert.deepEqual(run(pattern), expected));

test("a look around deeply nested code counts as work", () => {
  const depth = 4_000;
  const code = `${"{ f();".repeat(depth)}${"}".repeat(depth)}\n`;
  const call = { kind: "call_expression" };
  assert.equal(run({ rule: call }, code)?.length, depth);
  assert.equal(
    run({ rule: { ...call, not: { inside: { kind: "try_statement", stopBy: "end" } } } }, code),
    null,
  );
});
