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
  const { language, names } = calledNames(edit);
  return names.flatMap((name) => {
    const tree = syntax.parse(language as SyntaxLanguage, after);
    assert.ok(tree !== null);
    return judgeCalledName(edit, name, nameRoles(tree, name)).map(({ line }) => `${name}:${line}`);
  });
}

const TS = 'import { db } from "./db";\n';
const PY = "import os\n";

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
  ];

for (const [what, path, added, expected] of CASES)
  test(`${what}: ${expected.length === 0 ? "no finding" : expected.join()}`, () => {
    const base = path.endsWith(".py") ? PY : TS;
    assert.deepEqual(undefinedIn(path, base, `${base}${added}`), expected);
  });

test("a file that is no module, and one that called it before, have none", () => {
  assert.deepEqual(undefinedIn("a.js", "var a = 1;\n", "var a = 1;\nmissing();\n"), []);
  assert.deepEqual(undefinedIn("src/a.ts", `${TS}global1();\n`, `${TS}global1();\nglobal1(2);\n`), []);
});
