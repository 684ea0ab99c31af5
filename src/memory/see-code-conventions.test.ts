import assert from "node:assert/strict";
import { test } from "node:test";
import { cpuMs } from "../../test/support/cpu-ms.ts";
import { chooseConventionFiles, seeCodeConventions } from "./see-code-conventions.ts";

type Files = readonly (readonly [count: number, path: string, text: string])[];

/** `%` in a path is the number of the file. */
const filesOf = (given: Files) =>
  given.flatMap(([count, path, text]) =>
    Array.from({ length: count }, (_, index) => ({ path: path.replace("%", String(index)), text })),
  );

const CASES: readonly (readonly [name: string, files: Files, texts: readonly string[]])[] = [
  ["nothing", [], []],
  ["too few files", [[7, "src/%.ts", "throw new AppError(1);"]], []],
  [
    "an error class",
    [[8, "src/%.ts", "throw new AppError(1);"]],
    ["Code throws `AppError`, not a plain `Error`."],
  ],
  [
    "plain errors as well",
    [
      [8, "src/%.ts", "throw new AppError(1);"],
      [2, "src/b%.ts", "throw new Error(1);"],
    ],
    [],
  ],
  [
    "several error classes",
    [
      [8, "src/%.ts", "throw new AppError(1);"],
      [4, "src/b%.ts", "throw new HttpError(1);"],
    ],
    [],
  ],
  ["errors of the language", [[20, "src/%.ts", "throw new TypeError(1);"]], []],
  ["logging", [[9, "lib/%.py", "log.info(1)\n"]], ["Code logs with `log`, not with `print`."]],
  [
    "a script that prints",
    [
      [9, "examples/%.py", "print(1)\n"],
      [9, "lib/%.py", "log.info(1)\n"],
    ],
    ["Code logs with `log`, not with `print`."],
  ],
  [
    "exports",
    [[9, "src/%.tsx", "export const a = 1;"]],
    ["Modules export names; none has a default export."],
  ],
  [
    "tests",
    [
      [9, "src/%.test.ts", "expect(1).toBe(1);"],
      [9, "pkg/%_test.go", "\trequire.NoError(t, err)\n"],
      [9, "tests/test_%.py", "    assert a\n"],
    ],
    [
      "Tests check with `expect`.",
      "Tests use plain `assert`, not the methods of `unittest`.",
      "Tests check with `require` of testify.",
    ],
  ],
  [
    "mixed tests",
    [
      [8, "src/%.test.ts", "expect(1).toBe(1);"],
      [2, "src/b%.test.ts", "assert.equal(1, 1);"],
    ],
    [],
  ],
  [
    "layers",
    [
      [8, "src/store/%.ts", 'import { a } from "../base/a.ts";'],
      [8, "src/base/%.ts", "a();"],
    ],
    ["`src/store` imports from `src/base`, and nothing in `src/base` imports from `src/store`."],
  ],
  [
    "no layers",
    [
      [8, "src/store/%.ts", 'import { a } from "../base/a.ts";'],
      [8, "src/base/%.ts", "a();"],
      [1, "src/base/b%.ts", 'const { a } = require("../store/a.ts");'],
    ],
    [],
  ],
];

for (const [name, files, texts] of CASES)
  test(`conventions of code: ${name}`, () => {
    const seen = seeCodeConventions(filesOf(files));
    assert.deepEqual(
      seen.map(({ text }) => text),
      texts,
    );
    for (const { evidence } of seen) assert.equal(new Set(evidence).size, 3);
  });

test("conventions of code: files of large repositories are spread, and generated ones are left out", () => {
  const paths = Array.from({ length: 1_000 }, (_, index) => `src/f${index}.ts`);
  const chosen = chooseConventionFiles([...paths, "dist/a.js", "node_modules/a/b.js", "README.md"]);
  assert.ok(chosen.length > 200 && chosen.length <= 300, String(chosen.length));
  assert.ok(chosen.every((path) => path.startsWith("src/")));
});

test("conventions of code: hostile texts take no time", () => {
  for (const piece of [
    "throw new A",
    "import ",
    "except ",
    'fmt.Errorf("',
    "console.",
    "export ",
    "\n",
    "(",
  ]) {
    const text = piece.repeat(32_000 / piece.length);
    const files = [".ts", ".py", ".go", ".rs"].map((end) => ({ path: `src/a/b${end}`, text }));
    assert.ok(cpuMs(() => seeCodeConventions(files)) < 1_000, piece);
  }
});
