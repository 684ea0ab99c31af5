import assert from "node:assert/strict";
import { test } from "node:test";
import { readTomlLines } from "./toml-file.ts";

const TEXT = `title = "x"
[a.b]
c = 1
"d e".f = 2
list = [
  "one", # "not"
  'two',
  { name = "three" },
  "with \\"quotes\\"",
]
inline = { g = 1, h = [
  "four",
] }
text = """
[z]
y = 1
"""
[[items]]
name = "first"
[[items]]
name = "second"
`;

const CASES: readonly (readonly [path: readonly string[], item: string | undefined, line: number])[] = [
  [["title"], undefined, 1],
  [["a"], undefined, 2],
  [["a", "b"], undefined, 2],
  [["a", "b", "c"], undefined, 3],
  [["a", "b", "d e"], undefined, 4],
  [["a", "b", "d e", "f"], undefined, 4],
  [["a", "b", "list"], undefined, 5],
  [["a", "b", "list"], "one", 6],
  [["a", "b", "list"], "two", 7],
  [["a", "b", "list"], "three", 8],
  [["a", "b", "list"], 'with "quotes"', 9],
  [["a", "b", "list"], "not", 5],
  [["a", "b", "inline", "h"], undefined, 11],
  [["a", "b", "text"], undefined, 14],
  [["z", "y"], undefined, 0],
  [["items", "name"], undefined, 19],
  [["none"], undefined, 0],
];

test("keys and items of TOML have their lines", () => {
  const { lineOf } = readTomlLines(TEXT);
  for (const [path, item, line] of CASES) assert.equal(lineOf(path, item), line, `${path.join(".")} ${item}`);
});
