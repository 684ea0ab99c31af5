/** Which added lines can change an export, by real diffs. Where the answer is no, the comparison of both versions must find nothing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { diffTexts } from "../../../test/support/diff-texts.ts";
import { createAstGrepSyntax } from "../../syntax/ast-grep.ts";
import { languageOf } from "../language-of.ts";
import { addsOnlyStatements } from "./adds-statements.ts";
import { compareExports } from "./compare-exports.ts";

const syntax = createAstGrepSyntax();

const TS = "export function add(\n  id: string,\n): string {\n  return id;\n}\n";
const PY =
  "class Cart:\n    def __init__(self, id):\n        self.id = id\n\n\ndef add(id):\n    return id\n";
const GO = "package cart\n\nfunc Add(\n\tid string,\n) string {\n\treturn id\n}\n";

/** `+` marks the place of the added text. */
const ROWS: readonly (readonly [
  what: string,
  path: string,
  text: string,
  added: string,
  isWhole: boolean,
])[] = [
  ["a function below", "a.ts", `${TS}+`, "export const size = (a: number): number => a;\n", true],
  ["a function above", "a.ts", `+${TS}`, 'import { a } from "./a";\n', true],
  ["a statement in a body", "a.ts", TS.replace("  return", "+  return"), "  if (id) log(id);\n", true],
  ["a comment", "a.ts", `${TS}+`, "// It's new.\n\n", true],
  ["a comment among the parameters", "a.ts", TS.replace("  id", "+  id"), "  // The id.\n", true],
  ["a parameter", "a.ts", TS.replace("):", "+):"), "  size: number,\n", false],
  ["a parameter named type", "a.ts", TS.replace("):", "+):"), "  type: string,\n", false],
  ["a call", "a.ts", `${TS}+`, 'add("a");\n', false],
  ["a comment that hides", "a.ts", `+${TS}// */\n`, "const a = 1; /* const\n", false],
  ["the end of a comment", "a.ts", `/*\n+ */\n${TS}`, "const a = 1; */\n", false],
  ["a template that hides", "a.ts", `+${TS}\`;\n`, "const a = `\n", false],
  ["a pattern with a quote", "a.ts", `${TS}+`, "const a = /'/;\n", false],
  ["a bracket that hides", "a.ts", `+${TS}`, "function a() {\n", false],
  ["brackets that don't match", "a.ts", `${TS}+`, "const a = ([)];\n", false],
  ["after a lonely keyword", "a.js", "export\n+function add() {}\n", "const a = 1;\n", false],
  ["elements", "a.tsx", `${TS}+`, "const a = <p>it's</p>;\n", false],
  ["a Python function below", "a.py", `${PY}+`, "\n\ndef size(a):\n    return a\n", true],
  ["a Python function between", "a.py", PY.replace("def add", "+def add"), "def size(a): pass\n", true],
  [
    "a Python statement in a body",
    "a.py",
    PY.replace("        self", "+        self"),
    "        assert id\n",
    true,
  ],
  [
    "a Python class that takes a method",
    "a.py",
    PY.replace("    def __", "+    def __"),
    "class New:\n",
    false,
  ],
  ["a Python string that hides", "a.py", `+${PY}'''\n`, "import a\n'''\n", false],
  ["a Python parameter", "a.py", "def add(\n    id,\n+):\n    return id\n", "    size,\n", false],
  ["a Go function below", "a.go", `${GO}+`, "\nfunc size(a int) int { return a }\n", true],
  ["a Go method below", "a.go", `${GO}+`, "\nfunc (c *Cart) Size(a int) int { return a }\n", true],
  ["a Go parameter", "a.go", GO.replace(") string", "+) string"), "\tsize int,\n", false],
  [
    "a Go parameter without a name",
    "a.go",
    "package a\n\nfunc Add(\n\tint,\n+) {\n}\n",
    "\tfunc(int) int,\n",
    false,
  ],
  ["a Go comment that hides", "a.go", `${GO.replace("func", "+func")}// */\n`, "var a = 1 /* var\n", false],
];

for (const [what, path, text, added, isWhole] of ROWS) {
  test(`added lines: ${what}`, () => {
    const before = text.replace("+", "");
    const after = text.replace("+", () => added);
    const language = languageOf(path);
    const { hunks } = diffTexts({ path, before, after });
    assert.equal(
      hunks.every((hunk) => addsOnlyStatements(hunk, language)),
      isWhole,
    );
    if (isWhole) assert.deepEqual(compareExports({ path, language, before, after }, syntax), []);
  });
}

test("added lines: a line that is removed or replaced can be an export", () => {
  const { hunks } = diffTexts({ path: "a.ts", before: TS, after: "export const a = 1;\n" });
  assert.equal(
    hunks.some((hunk) => addsOnlyStatements(hunk, "typescript")),
    false,
  );
});
