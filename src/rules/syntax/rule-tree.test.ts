/** The rules' tree matches the parser's tree, and stops a rule that exceeds its work limit. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readExamples } from "../../../test/support/rule-examples.ts";
import { createAstGrepSyntax } from "../../syntax/ast-grep.ts";
import type { SyntaxLanguage, SyntaxNode } from "../../syntax/syntax.ts";
import { ALL_RULES } from "../all-rules.ts";
import { createRuleTree } from "./rule-tree.ts";

const syntax = createAstGrepSyntax();
const ANY_NODE = { rule: { not: { kind: "ERROR" } } };

function placeOf(node: SyntaxNode | null): string | null {
  return node === null ? null : `${node.kind()} ${node.range().start.index}-${node.range().end.index}`;
}

/** Tokens that the parser inserted are empty: they are children, but not always siblings. */
function neighbour(node: SyntaxNode | null): string | null {
  return node === null || node.text() === "" ? null : placeOf(node);
}

function hasText(node: SyntaxNode): boolean {
  return node.text() !== "";
}

/** Everything that a rule can read about a node's position. */
function surroundingsOf(node: SyntaxNode) {
  return {
    node: placeOf(node),
    text: node.text(),
    isNamed: node.isNamed(),
    parent: placeOf(node.parent()),
    ancestors: node.ancestors().map(placeOf),
    children: node.children().map(placeOf),
    namedChildren: node.namedChildren().map(placeOf),
    next: neighbour(node.next()),
    prev: neighbour(node.prev()),
  };
}

/** The first example of each language, and inputs that break the parser. */
function examples(): ReadonlyMap<SyntaxLanguage, readonly string[]> {
  const found = ALL_RULES.flatMap((rule) =>
    rule.kind === "tree" || rule.kind === "pattern"
      ? rule.languages.map((language) => ({ language, rule }))
      : [],
  );
  const texts = found.flatMap(({ language, rule }) =>
    readExamples(rule.id).bad.flatMap(({ files }) =>
      files.map(({ after }) => ({ language, text: after ?? "" })),
    ),
  );
  return new Map(
    [...Map.groupBy(texts, ({ language }) => language)].map(([language, all]) => [
      language,
      [...new Set(all.map(({ text }) => text))].slice(0, EXAMPLES_PER_LANGUAGE).flatMap(withDamage),
    ]),
  );
}

const EXAMPLES_PER_LANGUAGE = 12;

/** The text, the same cut in the middle, and the same after characters of two code units. */
function withDamage(text: string): readonly string[] {
  return [text, text.slice(0, text.length / 2), `\n// \u{1f600} é\n${text}`];
}

for (const [language, texts] of examples()) {
  test(`each node of ${language} has the same parent, siblings and text as in the parser's tree`, () => {
    for (const text of texts) {
      const parsed = syntax.parse(language, text);
      assert.ok(parsed !== null, `no parser for ${language}`);
      const isFinished = createRuleTree(parsed).work((root) => {
        // Two tokens that the parser inserted at one place look the same.
        const [nodes, expected] = [root, parsed].map((tree) => tree.findAll(ANY_NODE).filter(hasText));
        assert.deepEqual(nodes?.map(surroundingsOf), expected?.map(surroundingsOf), text);
      });
      assert.ok(isFinished);
    }
  });
}

test("a field of a node knows its surroundings", () => {
  const parsed = syntax.parse("typescript", "a();\nfoo(b, c);\nd();\n");
  assert.ok(parsed !== null);
  createRuleTree(parsed).work((root) => {
    const call = root.findAll({ rule: { kind: "call_expression" } })[1];
    const callee = call?.field("function");
    assert.equal(callee?.text(), "foo");
    assert.equal(callee?.next()?.text(), "(b, c)");
    assert.equal(callee?.parent()?.parent()?.prev()?.text(), "a();");
  });
});

test("a rule that exceeds its work limit is stopped, and the next one starts from zero", () => {
  const parsed = syntax.parse("typescript", "x();\n".repeat(10_000));
  assert.ok(parsed !== null);
  const tree = createRuleTree(parsed);
  let texts = 0;
  const isFinished = tree.work((root) => {
    for (;;) texts += root.text().length;
  });
  assert.equal(isFinished, false);
  assert.ok(texts > 1_000_000);
  assert.equal(
    tree.work((root) => void root.text()),
    true,
  );
});
