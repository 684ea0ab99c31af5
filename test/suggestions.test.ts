/**
 * Suggestions as models send them, good and spoilt, in every language with a parser: what may be offered for committing, and what the
 * others are refused for. `npm run bench -- suggestions` does the same with edits of real repositories.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compareSuggestion } from "../src/reading/compare-suggestion.ts";
import { languageOf } from "../src/languages/language-of.ts";
import type { SuggestionVerdict } from "../src/review/findings/finding.ts";
import { verifySuggestion } from "../src/review/findings/verify-suggestion.ts";
import { SYNTAX_LANGUAGES } from "../src/syntax/syntax.ts";
import { createInProcessReader } from "./support/in-process-reader.ts";

const reader = createInProcessReader();

type Place = { readonly path: string; readonly text: string; readonly from: number; readonly to: number };

async function verdictOf(suggestion: string, { path, text, from, to }: Place): Promise<SuggestionVerdict> {
  const lines = text.split("\n").slice(from - 1, to);
  const range = { path, side: "new", startLine: from, endLine: to, lines } as const;
  const anchor = { ...range, method: "exact", isChanged: true } as const;
  const place = { anchor, text, language: languageOf(path) };
  const compared = await compareSuggestion(suggestion, place, reader);
  return verifySuggestion(suggestion, place, () => compared?.comparison ?? "not-checked");
}

async function refusalOf(suggestion: string, place: Place): Promise<string> {
  const verdict = await verdictOf(suggestion, place);
  return verdict.kind === "prose" ? verdict.reason : verdict.kind;
}

type Sample = Place & {
  /** Replaces the lines well. */
  readonly good: string;
  /** The same without a bracket, and cut in its last line. */
  readonly unbalanced: string;
  readonly cut: string;
  readonly placeholder: string;
};

/** For each language a file, lines of it, and what could take their place. */
const SAMPLES: readonly Sample[] = [
  {
    path: "a.js",
    text: "function load(items) {\n  const all = read(items);\n  return all;\n}\n",
    from: 2,
    to: 3,
    good: "  const all = read(items, 10);\n  return [...all];",
    unbalanced: "  const all = read(items, 10;\n  return [...all];",
    cut: "  const all = rea",
    placeholder: "  const all = read(items, 10);\n  // ... existing code ...",
  },
  {
    path: "a.ts",
    text: "export function load(items: string[]): string[] {\n  const all = read(items);\n  return all;\n}\n",
    from: 2,
    to: 2,
    good: "  const all = read(...items);",
    unbalanced: "  const all = read(...items;",
    cut: "  const all = read(...ite",
    placeholder: "  const all = read(...items);\n  /* ... */",
  },
  {
    path: "a.tsx",
    text: "export const A = () => (\n  <ul>\n    <li>{first}</li>\n  </ul>\n);\n",
    from: 3,
    to: 3,
    good: "    <li>{first ?? last}</li>\n    <li>{last}</li>",
    unbalanced: "    <li>{first ?? last</li>",
    cut: "    <li>{first ?? la",
    placeholder: "    <li>{first}</li>\n    {/* rest of the component unchanged */}",
  },
  {
    path: "a.html",
    text: "<html>\n<body>\n<ul>\n  <li>One</li>\n</ul>\n</body>\n</html>\n",
    from: 4,
    to: 4,
    good: '  <li class="a">One</li>\n  <li>Two …</li>',
    unbalanced: '  <li class="a"One</li>',
    cut: '  <li class="',
    placeholder: '  <li class="a">One</li>\n  <!-- ... -->',
  },
  {
    path: "a.css",
    text: "a {\n  color: red;\n}\n\nb {\n  color: blue;\n}\n",
    from: 1,
    to: 3,
    good: "a {\n  color: rgb(1, 2, 3);\n}",
    unbalanced: "a {\n  color: rgb(1, 2, 3;\n}",
    cut: "a {\n  color: rgb(1, 2",
    placeholder: "a {\n  color: rgb(1, 2, 3);\n  /* other rules unchanged */\n}",
  },
  {
    path: "a.py",
    text: "def load(items):\n    values = read(items)\n    return values\n",
    from: 2,
    to: 2,
    good: "    if not items:\n        return []\n    values = read(items)",
    unbalanced: "    values = read(items, (1)",
    cut: "    values = read(items).va",
    placeholder: "    values = read(items, 10)\n    # rest of the function unchanged",
  },
  {
    path: "a.go",
    text: "package a\n\nfunc load(items ...string) int {\n\ttotal := count(items)\n\treturn total\n}\n",
    from: 4,
    to: 4,
    good: "\ttotal := count(items...)",
    unbalanced: "\ttotal := count(items...",
    cut: "\ttotal := cou",
    placeholder: "\ttotal := count(items...)\n\t// … rest of the code …",
  },
  {
    path: "A.java",
    text: "class A {\n  int load(int... items) {\n    int total = count(items);\n    return total;\n  }\n}\n",
    from: 3,
    to: 3,
    good: '    @SuppressWarnings("x")\n    int total = count(items) + 1;',
    unbalanced: "    int total = count(items + 1;",
    cut: "    int total = cou",
    placeholder: "    int total = count(items) + 1;\n    // existing code",
  },
  {
    path: "a.rs",
    text: "fn load(items: &[u8]) -> usize {\n    let total = count(items);\n    total\n}\n",
    from: 2,
    to: 2,
    good: "    let total = count(&items[..2]);",
    unbalanced: "    let total = count(&items[..2);",
    cut: "    let total = count(&it",
    placeholder: "    let total = count(&items[..2]);\n    // ...",
  },
  {
    path: "a.c",
    text: "int load(char *items) {\n  int total = count(items);\n  return total;\n}\n",
    from: 1,
    to: 1,
    good: "int load(\n    char *items,\n    ...\n) {",
    unbalanced: "int load(char *items {",
    cut: "int load(char *ite",
    placeholder: "int load(char *items) {\n  // same as before",
  },
  {
    path: "a.cpp",
    text: "int load(Items items) {\n  int total = count(items);\n  return total;\n}\n",
    from: 2,
    to: 2,
    good: "  int total = count(std::move(items));",
    unbalanced: "  int total = count(std::move(items);",
    cut: "  int total = count(std::mo",
    placeholder: "  int total = count(std::move(items));\n  // ... (unchanged)",
  },
  {
    path: "a.kt",
    text: "fun load(items: List<Int>): Int {\n    val total = count(items)\n    return total\n}\n",
    from: 2,
    to: 2,
    good: "    val total = count(items.filter { it > 1 })",
    unbalanced: "    val total = count(items.filter { it > 1 }",
    cut: "    val total = count(items.fil",
    placeholder: "    val total = count(items)\n    // ... existing code ...",
  },
  {
    path: "A.cs",
    text: "class A {\n  int Load(int[] items) {\n    var total = Count(items);\n    return total;\n  }\n}\n",
    from: 3,
    to: 3,
    good: "    var total = Count(items[0]);",
    unbalanced: "    var total = Count(items[0);",
    cut: "    var total = Cou",
    placeholder: "    var total = Count(items[0]);\n    // remaining code stays the same",
  },
  {
    path: "a.rb",
    text: "def load(items)\n  total = count(items)\n  puts total\nend\n",
    from: 2,
    to: 3,
    good: "  total = count(*items)\n  puts(1...total)",
    unbalanced: "  total = count(*items\n  puts(total)",
    cut: "  total = count(*items)\n  puts tot",
    placeholder: "  total = count(*items)\n  # [rest of the implementation]",
  },
  {
    path: "a.php",
    text: "<?php\nfunction load($items) {\n  $total = count($items);\n  return $total;\n}\n",
    from: 3,
    to: 3,
    good: "  $total = count(...$items);",
    unbalanced: "  $total = count(...$items;",
    cut: "  $total = cou",
    placeholder: "  $total = count(...$items);\n  // code omitted for brevity",
  },
  {
    path: "a.sh",
    text: "load() {\n  total=$(count $1)\n  echo $total\n}\n",
    from: 2,
    to: 3,
    good: '  total=$(count "$1")\n  echo "$total"',
    unbalanced: '  total=$(count "$1"\n  echo "$total"',
    cut: '  total=$(count "$1")\n  ec',
    placeholder: '  total=$(count "$1")\n  # ... existing code ...',
  },
];

const PLACEHOLDER = /^line \d+ is a placeholder, not code$/;

test("suggestions: there is a sample for every language with a parser", () => {
  assert.deepEqual(SAMPLES.map(({ path }) => languageOf(path)).toSorted(), SYNTAX_LANGUAGES.toSorted());
});

for (const sample of SAMPLES) {
  const language = languageOf(sample.path);
  const current = sample.text.split("\n").slice(sample.from - 1, sample.to);
  const indent = /^\s*/.exec(current[0] ?? "")?.[0] ?? "";

  test(`suggestions, ${language}: code can be offered, also in a fence, a diff or with numbers`, async () => {
    const lines = sample.good.split("\n");
    const spellings = [
      sample.good,
      `${sample.good}\n`,
      `\`\`\`suggestion\n${sample.good}\n\`\`\``,
      `~~~\n${sample.good}\n~~~\n`,
      lines.map((line) => `+${line}`).join("\n"),
      [...current.map((line) => `-${line}`), ...lines.map((line) => `+${line}`)].join("\n"),
      `@@ -1,2 +1,2 @@\n${[...current.map((line) => `-${line}`), ...lines.map((line) => `+${line}`)].join("\n")}`,
      lines.map((line, index) => `${sample.from + index}: ${line}`).join("\n"),
      lines.map((line, index) => `${String(sample.from + index).padStart(4)}      |+${line}`).join("\n"),
    ];
    for (const spelling of spellings)
      assert.deepEqual(
        await verdictOf(spelling, sample),
        { kind: "verified", replacement: sample.good },
        spelling,
      );
  });

  test(`suggestions, ${language}: a placeholder, a sentence, a lost bracket and a cut line are refused`, async () => {
    const dots = `${sample.good}\n${indent}...`;
    const sentences = [
      "Use the helper instead of the loop.",
      "Check that the value is not null before you use it",
    ];
    assert.match(await refusalOf(sample.placeholder, sample), PLACEHOLDER);
    assert.match(await refusalOf(dots, sample), PLACEHOLDER);
    for (const sentence of sentences)
      for (const spoilt of [indent + sentence, `${indent}${sentence}\n${sample.good}`])
        assert.match(await refusalOf(spoilt, sample), /wouldn't parse|prose|incomplete/, spoilt);
    assert.match(await refusalOf(sample.unbalanced, sample), /wouldn't parse|brackets/, sample.unbalanced);
    assert.match(await refusalOf(sample.cut, sample), /wouldn't parse|brackets|incomplete/, sample.cut);
    assert.match(
      await refusalOf(`${sample.cut}...`, sample),
      /wouldn't parse|brackets|incomplete/,
      sample.cut,
    );
  });
}

type Case = readonly [what: string, place: Place, suggestion: string, expected: string | RegExp];

const stub = (body: string): Place => ({
  path: "a.py",
  text: `class A:\n    def f(self):\n        ${body}\n`,
  from: 3,
  to: 3,
});
const line = (path: string, text: string): Place => ({ path, text: `${text}\n`, from: 1, to: 1 });
const starred = "/**\n * Adds the tax.\n */\nf();\n";

/** Code that looks like a mark or a placeholder, and placeholders that look like code. */
const CASES: readonly Case[] = [
  ["the body of a stub", stub("pass"), "        ...", "verified"],
  ["a body that is left out", stub("return self.total * 2"), "        ...", PLACEHOLDER],
  ["a stub that is added", stub("pass"), "        pass\n\n    def g(self):\n        ...", "verified"],
  ["a stub on one line", line("a.py", "x = 1"), "def f(a: int) -> int: ...", "verified"],
  ["dots before more code", stub("pass"), "        ...\n        return 1", PLACEHOLDER],
  ["a value in brackets", line("a.py", "x = Field(1)"), "x = Field(\n    ...,\n)", "verified"],
  ["arguments that are left out", line("a.py", "x = load(a, b)"), "y = load(...)", PLACEHOLDER],
  ["dots that were there", line("a.ts", "// ..."), "// ...\nf();", "verified"],
  [
    "a comment that ends with dots",
    line("a.ts", "f();"),
    "// Loading the rest of the pages...\nf();",
    "verified",
  ],
  [
    "a comment that goes on",
    line("a.ts", "f();"),
    "// First the head\n// ... and then the tail\nf();",
    "verified",
  ],
  ["a heading", line("a.ts", "f();"), "// Other methods\nf();", "verified"],
  ["a comment behind code", line("a.ts", "f();"), "f(1); // ... rest of the code", PLACEHOLDER],
  [
    "a sentence in a comment",
    { path: "a.ts", text: starred, from: 2, to: 2 },
    " * Use the price without the tax.",
    "verified",
  ],
  [
    "a sentence that leaves a comment",
    { path: "a.ts", text: starred, from: 2, to: 2 },
    " Use the price without the tax.",
    /prose/,
  ],
  ["keys that are numbers", line("a.ts", "const a = {};"), "const a = {\n  1: 2,\n  2: 3,\n};", "verified"],
  ["a sum that goes on", line("a.ts", "const a = b;"), "const a = b\n  + c;", "verified"],
  ["a block that is opened", line("a.ts", "f();"), "if (a) {\n  f();\n}", "verified"],
  [
    "a header of C++",
    line("a.h", "template <typename T> struct A { T a; };"),
    "template <typename T> struct A { T a, b; };",
    "verified",
  ],
  ["a line among macros", line("a.c", "OP(LOAD, 1)\nOP(SAVE, 2)"), "OP(LOAD, 1)\nOP(KEEP, 3)", "verified"],
  ["a macro without its bracket", line("a.c", "#define MAX (256)"), "#define MAX (1000", /brackets/],
  [
    "a branch of a case",
    { path: "a.sh", text: "case $1 in\n  a) f ;;\nesac\n", from: 2, to: 2 },
    "  a) f ;;\n  b) g ;;",
    "verified",
  ],
  [
    "a file that is too large",
    line("a.ts", `f();${"\n// x".repeat(60_000)}`),
    "f(1);",
    "the file is over 256 KB, the size limit for verifying suggestions",
  ],
  ["a language without a parser", line("a.swift", "let a = 1"), "let a = 2", /no parser for this language/],
  [
    "a placeholder where there is no parser",
    line("a.swift", "let a = 1"),
    "let a = 2\n// ... existing code ...",
    PLACEHOLDER,
  ],
];

for (const [what, place, suggestion, expected] of CASES) {
  test(`suggestions: ${what}`, async () => {
    const refusal = await refusalOf(suggestion, place);
    if (typeof expected === "string") assert.equal(refusal, expected);
    else assert.match(refusal, expected);
  });
}

test("suggestions: a diff with lines around it becomes its new side, in which only the replaced lines are", async () => {
  const place = { path: "a.ts", text: "a();\n  b();\n  c();\nd();\n", from: 2, to: 3 };
  const diff = "--- a/a.ts\n+++ b/a.ts\n@@ -1,4 +1,4 @@\n a();\n-  b();\n+  b(1);\n   c();\n d();";
  assert.deepEqual(await verdictOf(diff, place), { kind: "verified", replacement: "  b(1);\n  c();" });
  const wide = "-   b();\n+   b(1);\n+   c();";
  assert.deepEqual(await verdictOf(wide, place), { kind: "verified", replacement: "  b(1);\n  c();" });
});

test("suggestions: fences and signs that a document has are kept", async () => {
  const list = { path: "a.md", text: "- one\n- two\n", from: 1, to: 2 };
  const fenced = "```sh\nnpm test\n```";
  for (const suggestion of ["- one\n- three", "+ one\n+ two", fenced]) {
    const verdict = await verdictOf(suggestion, list);
    assert.equal(verdict.kind === "prose" ? verdict.text : "", suggestion);
  }
});
