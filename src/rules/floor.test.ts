/** Tests the engine with rules made for the purpose. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFile, configOf, fileAnalysis } from "../../test/support/analysis-fixtures.ts";
import { RULE_FACTS } from "../../test/support/findings-fixtures.ts";
import { createAstGrepSyntax } from "../syntax/ast-grep.ts";
import { activeRules, reviewFile, treeRulesFor } from "./floor.ts";
import type { FileView, LineRule, TreeRule } from "./rule.ts";
import { linesOf } from "./rule.ts";
import { viewFile, withHunksLaidOut, withText } from "./view-file.ts";

const LINE_RULE: LineRule = {
  ...RULE_FACTS,
  id: "bad-word",
  kind: "line",
  languages: "any",
  check: ({ line, text }) => (text.includes("bad") ? { line } : null),
};

const TREE_RULE: TreeRule = {
  ...RULE_FACTS,
  id: "no-eval",
  kind: "tree",
  languages: ["typescript"],
  inTests: true,
  trigger: /eval/,
  *check(root) {
    for (const node of root.findAll("eval($X)")) yield linesOf(node);
  },
};

const syntax = createAstGrepSyntax();
const CONFIG = configOf();
const options = { tree: null, isFiltered: false };

function withTree(view: FileView) {
  return { tree: syntax.parse("typescript", (view.lines ?? []).join("\n")), isFiltered: false };
}

function viewOf(lines: readonly string[], given: Partial<Parameters<typeof fileAnalysis>[0]> = {}) {
  return viewFile(
    changedFile({ path: "src/a.ts", status: "modified", newStart: 10, lines }),
    fileAnalysis({ path: "src/a.ts", ...given }),
  );
}

test("only added lines are checked, without cut ones", () => {
  const view = viewOf([" bad context", "-bad removed", "+bad added", "+fine"]);
  assert.deepEqual(
    reviewFile(view, [LINE_RULE], CONFIG, options).map(({ lineHint, quote, rule }) => [
      lineHint,
      quote,
      rule,
    ]),
    [[11, "bad added", "bad-word"]],
  );
  const cut = viewFile({ ...view.file, cutLines: [11] }, fileAnalysis({ path: "src/a.ts" }));
  assert.deepEqual(reviewFile(cut, [LINE_RULE], CONFIG, options), []);
});

test("a rule can skip test files, and only rules with `everywhere` check filtered files", () => {
  const lines = ["+bad"];
  assert.equal(reviewFile(viewOf(lines, { category: "test" }), [LINE_RULE], CONFIG, options).length, 0);
  assert.equal(reviewFile(viewOf(lines), [LINE_RULE], CONFIG, { ...options, isFiltered: true }).length, 0);
  assert.equal(
    reviewFile(viewOf(lines), [{ ...LINE_RULE, everywhere: true }], CONFIG, { ...options, isFiltered: true })
      .length,
    1,
  );
});

test("beyond its limit of findings in a file, a rule's first finding lists the lines", () => {
  const found = reviewFile(viewOf(Array.from({ length: 23 }, () => "+bad")), [LINE_RULE], CONFIG, options);
  assert.equal(found.length, 20);
  assert.match(found[0]?.body ?? "", /The same problem is on 3 more lines in this file: 30, 31, 32\./);
});

test("a rule that reaches its line limit reports that there may be more", () => {
  const view = viewOf(Array.from({ length: 300 }, (_, index) => `+eval(${index});`));
  const found = reviewFile(withHunksLaidOut(view), [TREE_RULE], CONFIG, withTree(withHunksLaidOut(view)));
  assert.equal(found.length, 20);
  assert.match(
    found[0]?.body ?? "",
    /The same problem is on at least 80 more lines in this file: 30, 31, .*, …\./,
  );
});

test("ignored lines are shown and counted like others, and never hide other findings", () => {
  const silenced = Array.from({ length: 150 }, (_, index) => [
    "+// kodiai-ignore-next-line no-eval -- known",
    `+eval(${index});`,
  ]).flat();
  const view = withHunksLaidOut(viewOf([...silenced, "+", "+eval(last);"]));
  const found = reviewFile(view, [TREE_RULE], CONFIG, withTree(view));
  const [ignored, reported] = [true, false].map((isIgnored) =>
    found.filter(({ ignoredBecause }) => (ignoredBecause !== null) === isIgnored),
  );
  assert.equal(ignored?.length, 20);
  assert.match(ignored?.[0]?.body ?? "", /on 130 more lines in this file: 51, 53, /);
  assert.deepEqual(
    reported?.map(({ lineHint }) => lineHint),
    [311],
  );
});

test("a rule that exceeds its work limit keeps its findings, and the caller is notified", () => {
  const endless: TreeRule = {
    ...TREE_RULE,
    *check(root) {
      for (const node of root.findAll("eval($X)")) yield linesOf(node);
      for (;;) root.findAll({ rule: { kind: "program" } });
    },
  };
  const view = withHunksLaidOut(viewOf(Array.from({ length: 22 }, () => "+eval(x);")));
  const stopped: string[] = [];
  const onStopped = (id: string): void => void stopped.push(id);
  const found = reviewFile(view, [endless, TREE_RULE], CONFIG, { ...withTree(view), onStopped });
  assert.deepEqual(stopped, [endless.id]);
  assert.deepEqual(
    found.map(({ lineHint }) => lineHint),
    Array.from({ length: 20 }, (_, index) => 10 + index),
  );
  assert.match(found[0]?.body ?? "", /on at least 2 more lines in this file: 30, 31, …\./);
});

test("a tree rule sees the whole file but reports on added lines only", () => {
  const view = viewOf([" eval(a);", "+eval(b);", "+// eval(c)"]);
  assert.deepEqual(treeRulesFor(view, [LINE_RULE, TREE_RULE]), [TREE_RULE]);
  const found = (each: FileView) => reviewFile(each, [TREE_RULE], CONFIG, withTree(each));
  const text = `${"\n".repeat(9)}eval(a);\neval(b);\n// eval(c)\n`;
  assert.deepEqual(
    found(withText(view, text)).map(({ lineHint }) => lineHint),
    [11],
  );
  assert.deepEqual(
    found(withHunksLaidOut(view)).map(({ lineHint }) => lineHint),
    [11],
    "from the diff alone",
  );
  assert.deepEqual(reviewFile(view, [TREE_RULE], CONFIG, options), [], "without a text there is no tree");
});

test("a file without the trigger is not parsed", () => {
  assert.deepEqual(treeRulesFor(viewOf(["+fine();", " eval(a);"]), [TREE_RULE]), []);
});

test("a file without what the rule needs is not parsed, and of a diff that isn't known", () => {
  const rule: TreeRule = { ...TREE_RULE, needs: /import evaluator/ };
  const view = viewOf(["+eval(a);"]);
  assert.deepEqual(treeRulesFor(view, [rule]), [rule]);
  assert.deepEqual(treeRulesFor(withText(view, "eval(a);\n"), [rule]), []);
  assert.deepEqual(treeRulesFor(withText(view, "import evaluator;\neval(a);\n"), [rule]), [rule]);
});

test("one of several triggers is enough", () => {
  const rule: TreeRule = { ...TREE_RULE, trigger: [/eval/, /exec/] };
  const rulesOf = (line: string) => treeRulesFor(viewOf([line]), [rule, { ...rule, trigger: [/eval/] }]);
  assert.deepEqual(
    ["+eval(a);", "+exec(a);", "+fine();"].map(rulesOf).map(({ length }) => length),
    [2, 1, 0],
  );
});

test("the configuration disables rules and changes their severity", () => {
  assert.deepEqual(
    activeRules([LINE_RULE, TREE_RULE], configOf({ floor: { rules: { "bad-word": "off" } } })).map(
      ({ id }) => id,
    ),
    ["no-eval"],
  );
  assert.deepEqual(activeRules([LINE_RULE], configOf({ floor: { enabled: false } })), []);
  assert.equal(
    reviewFile(
      viewOf(["+bad"]),
      [LINE_RULE],
      configOf({ floor: { rules: { "bad-word": "critical" } } }),
      options,
    )[0]?.severity,
    "critical",
  );
});

test("a diff with a line number in the millions doesn't use memory for it", () => {
  const view = viewFile(
    changedFile({ path: "a.ts", newStart: 2_000_000_000, lines: ["+eval(x)"] }),
    fileAnalysis({ path: "a.ts" }),
  );
  assert.deepEqual(withHunksLaidOut(view).lines, []);
});

test("an ignore comment without a reason has no effect, and the finding says so", () => {
  const view = viewOf(["+// kodiai-ignore-next-line bad-word", "+bad added", "+fine", "+bad again"]);
  const found = reviewFile(view, [LINE_RULE], CONFIG, options);
  assert.deepEqual(
    found.map(({ lineHint, ignoredBecause, body }) => [lineHint, ignoredBecause, /has no reason/.test(body)]),
    [
      // The rule's word is in the comment, too.
      [10, null, false],
      [11, null, true],
      [13, null, false],
    ],
  );
});
