import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { parse } from "smol-toml";
import { readLockToml } from "./read-lock-toml.ts";
import { someRuns } from "../../../test/support/extent.ts";

const LOCK = `# a comment
version = 1
"quoted key" = 'literal'

[options]
when = "2024" # a comment

[[package]]
name = "a"
size = 120
yanked = false
texts = ["x", 'y', "z \\"w\\" \\u00e9",]
source = { registry = "https://example.com", nested = [1, 2], empty = {} }
files = [
    {file = "a.whl", hash = "sha256:1"},
    {file = "a.tar.gz", hash = "sha256:2"},
]
wheels = [
    { url = "https://example.com/a.whl", hash = "sha256:3", size = 3, upload-time = "2024-01-01" },
]

[package.dependencies]
b = { version = "^1", optional = true }

[package.metadata.requires-dev]
dev = [{ name = "c" }]

[[package]]
name = "b"

[metadata]
python-versions = "*"

[metadata.files]
"b 1.0" = []
`;

/** The values of the two parsers differ in prototypes only. */
function parsed(text: string): string | null {
  try {
    return JSON.stringify(parse(text));
  } catch {
    return null;
  }
}

function read(text: string): string | null {
  const value = readLockToml(text);
  return value === null ? null : JSON.stringify(value);
}

const TEXTS: readonly (readonly [string, string])[] = [
  ["a lockfile", LOCK],
  ["Windows line ends", LOCK.replaceAll("\n", "\r\n")],
  ["no line end", "a = 1"],
  ["nothing", ""],
  ["text over several lines", 'a = """\n[b]\n"""\nc = 1\n'],
  ["dates, floats and other numbers", "a = 2024-01-01\nb = 1.5\nc = 0x10\nd = -1\ne = 1_000\n"],
  ["dotted keys", "a.b = 1\na.c = 2\n"],
  ["quoted tables", '["a.b"]\nc = 1\n'],
  ["a key twice", "a = 1\na = 2\n"],
  ["a table twice", "[a]\nb = 1\n[a]\nc = 1\n"],
  ["a table below a value", "a = 1\n[a.b]\nc = 1\n"],
  ["a prototype", '__proto__ = 1\n"constructor" = 2\n'],
  ["two keys in a line", "a = 1 b = 2\n"],
  ["an escape that isn't one", 'a = "\\q"\n'],
  ["half a surrogate", 'a = "\\ud800"\n'],
  ["an open array", "a = [1, 2\n"],
  ["two commas", "a = [1,, 2]\n"],
];

test("lockfiles are read as by a TOML parser", () => {
  for (const [name, text] of TEXTS) assert.equal(read(text), parsed(text), name);
});

test("changed lockfiles are read as by a TOML parser", () => {
  const change = fc.record({
    at: fc.nat(LOCK.length),
    removed: fc.nat(40),
    inserted: fc.constantFrom(
      "",
      "[",
      "]",
      "{",
      "}",
      '"',
      "'",
      ",",
      "=",
      "\n",
      " ",
      "#",
      "\\",
      "1",
      "a",
      "a = 1\n",
      "[b]\n",
    ),
  });
  fc.assert(
    fc.property(change, ({ at, removed, inserted }) => {
      const text = LOCK.slice(0, at) + inserted + LOCK.slice(at + removed);
      assert.equal(read(text), parsed(text));
    }),
    { numRuns: someRuns(2000) },
  );
});

const ARTIFACTS: readonly (readonly [string, string, readonly string[]])[] = [
  [
    "as Poetry writes them",
    'files = [\n    {file = "a", hash = "sha256:1"},\n    {file = "b", hash = "sha256:2"},\n]\n',
    ["sha256:1?a", "sha256:2?b"],
  ],
  ["as uv writes them", 'files = [\n    { url = "a", hash = "sha256:1", size = 3 },\n]\n', ["sha256:1?a"]],
  ["on one line", 'files = [{file = "a", hash = "sha256:1"}]\n', ["sha256:1?a"]],
  ["with an unknown key", 'files = [\n    {file = "a", hash = "sha256:1", odd = [1]},\n]\n', ["sha256:1?a"]],
  ["with an escape", 'files = [\n    {file = "\\"", hash = "sha256:1"},\n]\n', ['sha256:1?"']],
  [
    "without a hash",
    'files = [\n    {file = "]"},\n    {file = "b", hash = "sha256:2"},\n]\n',
    ["sha256:2?b"],
  ],
  ["as tables", '[[files]]\nfile = "a"\nhash = "sha256:1"\n', ["sha256:1?a"]],
  ["by smol-toml", 'x = 1.5\nfiles = [\n    {file = "a", hash = "sha256:1"},\n]\n', ["sha256:1?a"]],
  ["empty", "files = []\n", []],
];

test("files are returned as their hashes", () => {
  for (const [name, text, expected] of ARTIFACTS)
    assert.deepEqual(readLockToml(text, ["files"])?.["files"], expected, name);
});
