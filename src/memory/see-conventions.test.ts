import assert from "node:assert/strict";
import { test } from "node:test";
import { seeConventions } from "./see-conventions.ts";

const many = (count: number, make: (index: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, index) => make(index));

const CASES: readonly (readonly [name: string, paths: readonly string[], texts: readonly string[]])[] = [
  ["nothing", [], []],
  ["too few files", many(19, (index) => `src/read-file-${index}.ts`), []],
  [
    "file names",
    [...many(20, (index) => `src/read-file-${index}.ts`), ...many(30, (index) => `docs/${index}.md`)],
    ["Files named *.ts have names in kebab-case."],
  ],
  ["single words say nothing", many(40, (index) => `src/a${index}.ts`), []],
  [
    "too much disagreement",
    [...many(20, (index) => `src/read-file-${index}.ts`), ...many(3, (index) => `src/readFile${index}.ts`)],
    [],
  ],
  [
    "tests next to the code",
    many(20, (index) => `src/read-file-${index}.test.ts`),
    ["Files named *.ts have names in kebab-case.", "Tests are named `*.test.ts`."],
  ],
  [
    "tests in a folder",
    many(20, (index) => `tests/test_read_file_${index}.py`),
    [
      "Files named *.py have names in snake_case.",
      "Tests are named `test_*.py`.",
      "Tests named *.py are in `tests/`.",
    ],
  ],
  [
    "Go",
    many(25, (index) => `pkg/read_file_${index}_test.go`),
    ["Files named *.go have names in snake_case.", "Tests are named `*_test.go`."],
  ],
];

for (const [name, paths, texts] of CASES)
  test(`conventions: ${name}`, () =>
    assert.deepEqual(
      seeConventions(paths).map(({ text }) => text),
      texts,
    ));

test("conventions: hostile names take no time", () => {
  const started = process.cpuUsage().user;
  assert.deepEqual(seeConventions(many(30, () => `${"a-".repeat(50_000)}.ts`)), []);
  assert.ok(process.cpuUsage().user - started < 2_000_000);
});
