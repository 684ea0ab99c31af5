/** Calls of names that nothing defines: only where nothing could. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createAstGrepSyntax } from "../../syntax/ast-grep.ts";
import { nameRoles } from "../../syntax/name-roles.ts";
import type { SyntaxLanguage } from "../../syntax/syntax.ts";
import { calledNames, judgeCalledName } from "./undefined-names.ts";

const syntax = createAstGrepSyntax();

function undefinedIn(path: string, before: string, after: string): readonly string[] {
  const edit = { path, before, after };
  const { language, names, sharesFolder } = calledNames(edit);
  return names.flatMap((name) => {
    const tree = syntax.parse(language as SyntaxLanguage, after);
    assert.ok(tree !== null);
    return judgeCalledName(edit, { name, sharesFolder }, nameRoles(tree, name)).map(
      ({ line }) => `${name}:${line}`,
    );
  });
}

const TS = 'import { db } from "./db";\n';
const PY = "import os\n";
const GO = 'package shop\n\nimport "fmt"\n';
const JAVA = "package shop;\n\nimport static shop.Prices.known;\n\nclass Cart {\n";
const RUST = "use crate::prices::known;\n";

const BASES: Readonly<Record<string, string>> = { py: PY, go: GO, java: JAVA, rs: RUST, ts: TS };

const CASES: readonly (readonly [what: string, path: string, added: string, expected: readonly string[]])[] =
  [
    ["a function that nothing defines", "src/a.ts", "export const a = missing(1);\n", ["missing:2"]],
    ["a class that nothing imports", "src/a.ts", "export const a = new Missing();\n", ["Missing:2"]],
    ["in Python", "a.py", "x = missing(1)\n", ["missing:2"]],
    ["one that is imported", "src/a.ts", 'import { known } from "./known";\nknown(1);\n', []],
    ["one that is a parameter", "src/a.ts", "export const a = (known: () => void) => { known(); };\n", []],
    ["one that is defined below", "src/a.ts", "known();\nfunction known() {}\n", []],
    ["one that is a variable", "src/a.ts", "const known = () => 1;\nknown();\n", []],
    ["one that is destructured", "src/a.ts", "const { known } = db;\nknown();\n", []],
    ["a method", "src/a.ts", "class A {\n  known() {\n    return this.known();\n  }\n}\n", []],
    ["a signature", "src/a.ts", "interface A {\n  known(): void;\n}\n", []],
    ["a property", "src/a.ts", "db.known();\ndb?.other();\n", []],
    ["a global", "src/a.ts", "setTimeout(() => {}, parseInt('1'));\n", []],
    ["a comment and a string", "src/a.ts", "// missing() is gone\nconst a = 'other()';\n", []],
    ["a keyword", "src/a.ts", "if (db) while (db) break;\n", []],
    ["Python's own", "a.py", "x = len(str(1))\n", []],
    ["a Python function with a decorator", "a.py", "@os.wrap(1)\ndef known(a):\n    return known(a)\n", []],
    ["a Python file that imports everything", "a.py", "from os import *\nx = getcwd()\n", []],
    ["in Go", "a.go", "func a() { missing(1) }\n", ["missing:4"]],
    ["Go's own", "a.go", "func a(b []int) { fmt.Println(len(b), int64(1), make([]int, 1)) }\n", []],
    ["a Go method of an interface", "a.go", "type A interface {\n\tknown(a int) error\n}\n", []],
    ["a Go function in a variable", "a.go", "func a() {\n\tknown := func() {}\n\tknown()\n}\n", []],
    ["a Go function with a receiver", "a.go", "func (a *A) known() { other.known() }\n", []],
    ["a Go file that imports everything", "a.go", 'import . "os"\n\nfunc a() { missing() }\n', []],
    ["in Java", "A.java", "  int a() {\n    return missing(1);\n  }\n}\n", ["missing:7"]],
    ["a Java method that is imported", "A.java", "  int a() {\n    return known(1);\n  }\n}\n", []],
    [
      "a Java method of the class",
      "A.java",
      "  int a() { return b(); }\n  int b() { return hashCode(); }\n}\n",
      [],
    ],
    [
      "a Java class with a base class",
      "A.java",
      "  class B extends C {\n    int a() { return missing(); }\n  }\n}\n",
      [],
    ],
    ["a Java class within another one", "A.java", "  Object a = new Missing(1);\n}\n", []],
    ["in Rust", "a.rs", "fn a() {\n    missing(1);\n}\n", ["missing:3"]],
    ["a path of Rust", "a.rs", "fn a() {\n    other::missing(Some(1));\n    known(1);\n}\n", []],
    [
      "a macro of Rust",
      "a.rs",
      '#[derive(Debug)]\nstruct A(u8);\nfn a() {\n    println!("{}", b(1));\n    A(1);\n}\n',
      [],
    ],
    [
      "a variant of Rust",
      "a.rs",
      "enum A {\n    Known(u8),\n}\nuse A::Known;\nfn a() {\n    Known(1);\n}\n",
      [],
    ],
    ["a Rust file that imports everything", "a.rs", "use super::*;\nfn a() {\n    missing(1);\n}\n", []],
    [
      "tests within a Rust file",
      "a.rs",
      "fn a() {\n    missing(1);\n}\nmod tests {\n    use super::*;\n}\n",
      ["missing:3"],
    ],
  ];

for (const [what, path, added, expected] of CASES)
  test(`${what}: ${expected.length === 0 ? "no finding" : expected.join()}`, () => {
    const base = BASES[path.split(".").at(-1) ?? ""] ?? "";
    assert.deepEqual(undefinedIn(path, base, `${base}${added}`), expected);
  });

test("a file that is no module, and one that called it before, have none", () => {
  assert.deepEqual(undefinedIn("a.js", "var a = 1;\n", "var a = 1;\nmissing();\n"), []);
  assert.deepEqual(undefinedIn("src/a.ts", `${TS}global1();\n`, `${TS}global1();\nglobal1(2);\n`), []);
});

test("files that nothing can judge are said to be unjudged, if they call anything", () => {
  const isHidden = (path: string, after: string): boolean =>
    calledNames({ path, before: "", after }).isHidden;
  assert.ok(isHidden("a.rb", "x = missing(1)\n"));
  assert.ok(isHidden("a.php", "<?php\n$x = missing(1);\n"));
  assert.ok(isHidden("a.js", "missing();\n"));
  assert.ok(isHidden("a.py", "from os import *\ngetcwd()\n"));
  assert.ok(!isHidden("a.rb", "x = 1\n"));
  assert.ok(!isHidden("a.md", "missing()\n"));
  assert.ok(!isHidden("src/a.ts", `${TS}missing();\n`));
});
