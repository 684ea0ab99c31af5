/** Hostile files. The parser must answer each one quickly and with a problem, and must never throw or crash the process. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { DEFAULT_CONFIG } from "./default-config.ts";
import { MAX_CONFIG_BYTES } from "./config-file.ts";
import { parseConfigTree } from "./parse-config.ts";
import { cpuMs } from "../../../test/support/cpu-ms.ts";
import { someRuns } from "../../../test/support/extent.ts";

/** Far above the time any of these takes, and far below that of an exponential parser. */
const MAX_CPU_MS = 5_000;

function parseSoon(text: string | Uint8Array): ReturnType<typeof parseConfigTree> {
  let tree: ReturnType<typeof parseConfigTree> | undefined;
  const ms = cpuMs(() => (tree = parseConfigTree([{ path: ".kodiai.yml", text }])));
  assert.ok(tree !== undefined && ms < MAX_CPU_MS, `${ms} ms`);
  return tree;
}

const staircase = (mark: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${" ".repeat(index)}${mark}`).join("\n");
const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);
const laughs = Array.from({ length: 9 }, (_, level) =>
  level === 0
    ? "a0: &a0 [lol, lol]"
    : `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(", ")}]`,
).join("\n");

/** `at` is line:column of the first problem; the whole file must be ignored. */
const IGNORED: readonly {
  readonly name: string;
  readonly text: string | Uint8Array;
  readonly at: string;
  readonly message: RegExp;
}[] = [
  {
    name: "one byte too many",
    text: `#${"x".repeat(MAX_CONFIG_BYTES)}`,
    at: "null:null",
    message: /larger than 64 KiB/,
  },
  {
    name: "few characters, too many bytes",
    text: `#${"é".repeat(MAX_CONFIG_BYTES / 2)}`,
    at: "null:null",
    message: /larger than 64 KiB/,
  },
  { name: "20,000 brackets", text: "[".repeat(20_000), at: "1:21", message: /nested deeper than 20/ },
  {
    name: "brackets below a key",
    text: `review:\n  mode: ${"[".repeat(20_000)}`,
    at: "2:27",
    message: /nested deeper than 20/,
  },
  { name: "braces in braces", text: "{a: ".repeat(16_000), at: "1:81", message: /nested deeper than 20/ },
  {
    name: "staircase of mappings",
    text: staircase("a:", 350),
    at: "21:22",
    message: /nested deeper than 20/,
  },
  { name: "staircase of lists", text: staircase("-", 350), at: "21:21", message: /nested deeper than 20/ },
  { name: "dashes on one line", text: "- ".repeat(30_000), at: "1:41", message: /nested deeper than 20/ },
  {
    name: "question marks on one line",
    text: "? ".repeat(30_000),
    at: "1:41",
    message: /nested deeper than 20/,
  },
  { name: "colons on one line", text: "a: ".repeat(20_000), at: "1:62", message: /nested deeper than 20/ },
  { name: "empty keys on one line", text: ": ".repeat(30_000), at: "1:41", message: /nested deeper than 20/ },
  {
    name: "dashes continued on the next line",
    text: Array.from({ length: 30 }, (_, i) => `${"  ".repeat(i * 3)}- - - `).join("\n"),
    at: "7:41",
    message: /nested deeper than 20/,
  },
  {
    name: "a mark for every byte",
    text: `{${",".repeat(MAX_CONFIG_BYTES - 2)}}`,
    at: "1:20000",
    message: /exceeds the limit of 20000 tokens/,
  },
  {
    name: "same key twice",
    text: "review: {}\nmodel: a:b\nreview: {}",
    at: "3:1",
    message: /key "review" twice, first on line 1/,
  },
  { name: "a mapping as key", text: "{a: 1}: b", at: "1:1", message: /isn't a plain name/ },
  {
    name: "two documents",
    text: "model: a:b\n---\nmodel: c:d",
    at: "2:1",
    message: /more than one document/,
  },
  { name: "a list at the root", text: "- review", at: "1:1", message: /isn't a mapping/ },
  { name: "text at the root", text: "review", at: "1:1", message: /isn't a mapping/ },
  { name: "an alias at the root", text: "--- *a", at: "1:5", message: /./ },
  { name: "a tag at the root", text: "!!js/function x", at: "1:15", message: /isn't a mapping/ },
  { name: "older YAML by directive", text: "%YAML 1.1\n---\nreview: {}", at: "1:1", message: /directive/ },
  { name: "tab as indentation", text: "review:\n\tmode: strict", at: "2:1", message: /indented with a tab/ },
  { name: "unclosed quote", text: 'model: "a:b\n', at: "2:1", message: /is missing a character/ },
  { name: "unclosed bracket", text: "fallbackModels: [a\n", at: "2:1", message: /./ },
  { name: "NUL", text: "model: a:b\n# \0", at: "2:3", message: /control character U\+0000/ },
  { name: "escape character", text: "model: \u001b[31m", at: "1:8", message: /control character U\+001B/ },
  {
    name: "lone carriage return",
    text: "model: a:b\rtimeoutSeconds: 90",
    at: "1:11",
    message: /control character U\+000D/,
  },
  {
    name: "invalid UTF-8",
    text: bytes(0x23, 0x0a, 0x23, 0xff, 0x0a),
    at: "2:1",
    message: /isn't valid UTF-8/,
  },
  { name: "UTF-8 cut short", text: bytes(0x23, 0xe2, 0x82), at: "1:1", message: /isn't valid UTF-8/ },
  { name: "UTF-16", text: bytes(0xff, 0xfe, 0x61, 0x00), at: "1:1", message: /isn't valid UTF-8/ },
  { name: "lone surrogate", text: "#\n# \ud800", at: "2:1", message: /isn't valid UTF-8/ },
];

for (const { name, text, at, message } of IGNORED) {
  test(`ignored as a whole: ${name}`, () => {
    const tree = parseSoon(text);
    assert.deepEqual(tree.root.values, DEFAULT_CONFIG);
    const [problem] = tree.problems;
    assert.equal(problem?.severity, "error");
    assert.match(problem.message, message);
    assert.equal(`${problem.line}:${problem.column}`, at, problem.message);
    assert.equal(problem.key, "");
  });
}

/** Accepted in part or whole; the number of problems is what matters. */
const ANSWERED: readonly {
  readonly name: string;
  readonly text: string | Uint8Array;
  readonly problems: number;
}[] = [
  { name: "billion laughs", text: laughs, problems: 9 },
  {
    name: "thousands of aliases",
    text: `model: &a x:y\nfallbackModels: [${"*a, ".repeat(4_000)}]`,
    problems: 51,
  },
  {
    name: "thousands of keys",
    text: Array.from({ length: 4_500 }, (_, i) => `k${i}:`).join("\n"),
    problems: 51,
  },
  {
    name: "thousands of rules",
    text: `floor: { rules: { ${Array.from({ length: 1_800 }, (_, i) => `r${i}: of`).join(", ")} } }`,
    problems: 51,
  },
  { name: "thousands of entries", text: `review: { skipAuthors: [${"a, ".repeat(4_000)}] }`, problems: 1 },
  {
    name: "expensive patterns",
    text: `review: { suppressions: [${Array.from({ length: 190 }, (_, i) => `'regex:${i}(\\pL{0,30}){0,30}'`).join(", ")}] }`,
    problems: 51,
  },
  {
    name: "patterns that are programs",
    text: `review: { suppressions: ['regex:((a{100}){100}){100}', 'regex:\\pL{1000}\\pN{1000}\\pS{1000}'] }`,
    problems: 2,
  },
  { name: "glob that YAML reads as an alias", text: "review:\n  skipPaths: [**/*.snap]", problems: 1 },
  { name: "a byte-order mark", text: bytes(0xef, 0xbb, 0xbf, 0x7b, 0x7d), problems: 0 },
  { name: "a byte-order mark in text", text: "\uFEFFreview: { mode: strict }", problems: 0 },
  {
    name: "brackets inside text are only text",
    text: `review:\n  prompt: |\n    ${"[{- ? ".repeat(300)}\n  language: "${"[".repeat(30)}"\n`,
    problems: 0,
  },
  { name: "unused anchors", text: "model: &a x:y", problems: 0 },
  { name: "twenty levels", text: `x: ${"[".repeat(19)}${"]".repeat(19)}`, problems: 1 },
  { name: "only line feeds", text: "\n".repeat(20_000), problems: 0 },
];

for (const { name, text, problems } of ANSWERED) {
  test(`answered: ${name}`, () => {
    const tree = parseSoon(text);
    assert.equal(tree.problems.length, problems, tree.problems[0]?.message);
  });
}

test("no combination of YAML syntax makes the parser throw", () => {
  const marks = [
    "a",
    "review",
    "mode",
    "floor",
    "rules",
    ":",
    ": ",
    "- ",
    "? ",
    "\n",
    "  ",
    "\t",
    "[",
    "]",
    "{",
    "}",
    ",",
    "&a ",
    "*a",
    "!t ",
    "|",
    ">",
    "'",
    '"',
    "#",
    "---",
    "%",
    "<<",
    "1",
    "\\",
    "\r\n",
    "@",
    "`",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...marks), { maxLength: 60 }), (parts) => {
      const tree = parseConfigTree([{ path: ".kodiai.yml", text: parts.join("") }]);
      const positions = tree.problems.flatMap(({ line, column }) => [line, column]);
      assert.ok(positions.every((position) => position === null || position > 0));
    }),
    { numRuns: someRuns(500) },
  );
});

test("fifty hostile nested files share one size limit", () => {
  const text = `{${",".repeat(MAX_CONFIG_BYTES - 2)}}`;
  const files = Array.from({ length: 50 }, (_, index) => ({ path: `d${index}/.kodiai.yml`, text }));
  const tree = parseConfigTree(files);
  assert.equal(tree.files.length, 4);
  assert.match(tree.problems.at(-1)?.message ?? "", /and 45 more aren't read/);
});
