import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "../../test/support/assert-linear.ts";
import { seeConventions } from "./see-conventions.ts";

const many = (count: number, make: (index: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, index) => make(index));

const CASES: readonly (readonly [name: string, paths: readonly string[], texts: readonly string[]])[] = [
  ["nothing", [], []],
  ["too few tests", many(19, (index) => `src/read-file-${index}.test.ts`), []],
  ["file names", many(40, (index) => `src/read-file-${index}.ts`), []],
  [
    "too much disagreement",
    [
      ...many(20, (index) => `src/read-file-${index}.test.ts`),
      ...many(3, (index) => `src/read-file-${index}.spec.ts`),
    ],
    [],
  ],
  [
    "tests next to the code",
    many(20, (index) => `src/read-file-${index}.test.ts`),
    ["Tests are named `*.test.ts`."],
  ],
  [
    "tests in a folder",
    many(20, (index) => `tests/test_read_file_${index}.py`),
    ["Tests are named `test_*.py`.", "Tests named *.py are in `tests/`."],
  ],
  ["Go", many(25, (index) => `pkg/read_file_${index}_test.go`), ["Tests are named `*_test.go`."]],
];

for (const [name, paths, texts] of CASES)
  test(`conventions: ${name}`, () =>
    assert.deepEqual(
      seeConventions(paths).map(({ text }) => text),
      texts,
    ));

test("conventions: hostile names take linear time", () => {
  const see = (name: string): void => assert.deepEqual(seeConventions(many(30, () => `${name}.ts`)), []);
  assertLinear("a-".repeat(50_000), see);
});
