/** The contract of a Syntax adapter, tested on the only one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createAstGrepSyntax } from "./ast-grep.ts";
import { errorsOf } from "./judge-edit.ts";
import { SYNTAX_LANGUAGES, type SyntaxLanguage } from "./syntax.ts";

const syntax = createAstGrepSyntax();

function countErrors(language: SyntaxLanguage, text: string): number {
  const tree = syntax.parse(language, text);
  assert.ok(tree !== null);
  return errorsOf(tree).length;
}

/** Per language: code that parses, and the same code broken. */
const CODE: Readonly<Record<SyntaxLanguage, readonly [whole: string, broken: string]>> = {
  javascript: ["function f() { return g(1); }", "function f( { return g(1); }"],
  typescript: ["const a: number = f(1);", "const a: = f(1;"],
  tsx: ["const a = <p>{f(1)}</p>;", "const a = <p>{f(1}</p>;"],
  html: ["<p>text</p>", "<p></q>text</p><"],
  css: ["a { color: red; }", "a { color: red"],
  python: ["def f():\n    return g(1)\n", "def f(:\n    return g(1)\n"],
  go: ["package a\n\nfunc f() {\n\tg(1)\n}\n", "package a\n\nfunc f( {\n\tg(1)\n}\n"],
  java: ["class A { void f() { g(1); } }", "class A { void f( { g(1); } }"],
  kotlin: ["class A { fun f() { g(1) } }", "class A { fun f( { g(1) } }"],
  rust: ["fn f() { g(1); }", "fn f( { g(1); }"],
  c: ["int f(void) { return g(1); }", "int f(void { return g(1); }"],
  cpp: ["int f() { return g(1); }", "int f( { return g(1); }"],
  csharp: ["class A { int F() { return G(1); } }", "class A { int F( { return G(1); } }"],
  ruby: ["def f\n  g(1)\nend\n", "def f(\n  g(1)\nend\n"],
  php: ["<?php\nfunction f() { return g(1); }\n", "<?php\nfunction f( { return g(1); }\n"],
  bash: ["f() {\n  echo 1\n}\n", "f() {\n  if ; then\n}\n"],
};

for (const language of SYNTAX_LANGUAGES) {
  test(`${language}: parses, and finds the errors in broken code`, () => {
    assert.equal(syntax.supports(language), true, "the grammar is installed");
    const [whole, broken] = CODE[language];
    assert.equal(countErrors(language, whole), 0);
    assert.ok(countErrors(language, broken) > 0);
    assert.deepEqual(syntax.parse(language, whole)?.range().start, { line: 0, column: 0, index: 0 });
  });
}

test("a missing language is reported by `supports` and never throws", () => {
  assert.equal(syntax.supports("cobol"), false);
  assert.equal(syntax.supports("__proto__"), false);
});

test("patterns, kinds and captures find their nodes", () => {
  const root = syntax.parse("typescript", "const é = 1;\nconst b = call(first, 2);\n");
  const call = root?.find("call($A, $$$REST)");
  assert.equal(call?.getMatch("A")?.text(), "first");
  assert.deepEqual(
    call?.getMultipleMatches("REST").map((node) => node.text()),
    ["2"],
  );
  assert.deepEqual(
    [call?.range().start.line, call?.range().start.column],
    [1, 10],
    "columns count characters",
  );
  assert.equal(root?.findAll({ rule: { kind: "lexical_declaration" } }).length, 2);
  assert.equal(call?.matches({ rule: { inside: { kind: "lexical_declaration", stopBy: "end" } } }), true);
  assert.equal(root?.find("missing($A)"), null);
});

test("text over the limit is not parsed, hostile nesting is", () => {
  const large = "a();\n".repeat(60_000);
  assert.equal(syntax.parse("javascript", large), null);
  assert.notEqual(syntax.parse("javascript", "f(".repeat(20_000)), null);
});
