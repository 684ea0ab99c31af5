import assert from "node:assert/strict";
import { test } from "node:test";
import { type AttributesFile, readAttributes } from "./attributes.ts";
import { hasTooling } from "./tooling.ts";

const CASES: readonly (readonly [
  what: string,
  files: readonly AttributesFile[],
  path: string,
  expected: unknown,
])[] = [
  [
    "a pattern without a slash, at any depth",
    [{ folder: "", text: "*.pb.go linguist-generated" }],
    "a/b/x.pb.go",
    { generated: true },
  ],
  [
    "=true and =false",
    [{ folder: "", text: "gen/** linguist-generated=true linguist-vendored=false\n" }],
    "gen/a/b.ts",
    { generated: true, vendored: false },
  ],
  ["unset with a dash", [{ folder: "", text: "*.ts -linguist-generated" }], "a.ts", { generated: false }],
  [
    "the last line wins",
    [{ folder: "", text: "*.ts linguist-generated\nsrc/*.ts -linguist-generated" }],
    "src/a.ts",
    { generated: false },
  ],
  [
    "the nearest file wins",
    [
      { folder: "pkg", text: "*.ts -linguist-generated" },
      { folder: "", text: "*.ts linguist-generated" },
    ],
    "pkg/a.ts",
    { generated: false },
  ],
  [
    "a nested file holds for its folder only",
    [{ folder: "pkg", text: "*.ts linguist-generated" }],
    "other/a.ts",
    undefined,
  ],
  ["a comment", [{ folder: "", text: "# *.ts linguist-generated" }], "a.ts", undefined],
  ["other attributes", [{ folder: "", text: "*.ts -diff binary" }], "a.ts", undefined],
  [
    "an anchored pattern",
    [{ folder: "", text: "/dist/*.js linguist-generated" }],
    "src/dist/a.js",
    undefined,
  ],
];

test("linguist attributes of the base are read", () => {
  for (const [what, files, path, expected] of CASES)
    assert.deepEqual(readAttributes(files, [path]).get(path), expected, what);
});

test("a formatter or linter is detected by its file", () => {
  for (const path of [
    ".prettierrc",
    "pkg/.eslintrc.cjs",
    "eslint.config.mjs",
    "ruff.toml",
    ".golangci.yml",
    ".clang-format",
    ".oxlintrc.json",
  ])
    assert.equal(hasTooling([path]), true, path);
  assert.equal(hasTooling(["src/prettier.ts", "README.md", "eslint.config.md.txt"]), false);
});
