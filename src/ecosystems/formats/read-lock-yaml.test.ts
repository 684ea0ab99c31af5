import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { parse, parseDocument, stringify } from "yaml";
import { readLockYaml, type LockYamlMap } from "./read-lock-yaml.ts";
import { someRuns } from "../../../test/support/extent.ts";

/** `yaml` reads the same value, with all scalars as strings. */
const GOOD: readonly (readonly [string, string])[] = [
  ["nested maps", "a:\n  b:\n    c: 1\n  d: 2\ne: 3\n"],
  ["quoted keys and values", "'@a/b@1.0.0':\n  \"x: y\": 'it''s'\n  z: \"a \\\"b\\\" \\u00e9 \\x41\"\n"],
  ["keys with slashes, colons and parentheses", "/@a/b@1.0.0(c@2.0.0):\n  x@npm:y@^1: 2\n"],
  ["a key with a space before its colon", "a : 1\n"],
  ["lists", "a:\n  - b\n  - 'c'\nd:\n- e\n- f\ng: 1\n"],
  ["maps in lists", "a:\n  - b: 1\n    c: 2\n  -   d: 3\n  -\n    e: 4\n  - - f\n"],
  [
    "flow maps and lists",
    "a: {b: 1, 'c': \"d\", e: [f, g], h: {}}\ni: []\nj: [k, ]\nl: {u: https://x/y.tgz}\n",
  ],
  [
    "comments",
    "# one\na: 1 # two\nb: 'c' # three\n  # four\nd: # five\n  e: 6\nf: [g] # seven\nh:\n  - i # j: k\nl: m#n\n",
  ],
  [
    "block scalars",
    "a: |\n  one\n    two\n\n  three\nb: >-\n  one\n  two\n\n  three\n    four\n  five\nc: |+\n  x\n\nd: |-\n  y\ne: |2\n    z\n",
  ],
  ["an empty block scalar", "a: |\nb: >-\n\nc: 1\n"],
  ["explicit keys", '? "a@npm:^1, a@npm:^2"\n:\n  version: 1\nb: 2\n'],
  ["numbers, booleans and null stay text", "a: 1.10\nb: true\nc: null\nd: ~\ne: 0x1F\n"],
  ["one document with a marker", "---\na: 1\n"],
  ["Windows line ends", "a:\r\n  b: 1\r\n\r\n  c: 'd'\r\n"],
  ["no newline at the end", "a:\n  b: c"],
  ["names of prototypes", "__proto__:\n  constructor: 1\nconstructor: {__proto__: 2, toString: 3}\n"],
];

const BAD: readonly (readonly [string, string])[] = [
  ["an anchor", "a: &x 1\n"],
  ["an alias", "a: *x\n"],
  ["a tag", "a: !!str 1\n"],
  ["a merge key", "a: {b: 1}\nc:\n  <<: {d: 1}\n"],
  ["a merge key in a flow map", "a: {<<: {b: 1}}\n"],
  ["a duplicate key", "a: 1\na: 2\n"],
  ["a duplicate key in a flow map", "a: {b: 1, b: 2}\n"],
  ["tabs as indentation", "a:\n\tb: 1\n"],
  ["a plain scalar over two lines", "a: b\n  c\n"],
  ["a quoted scalar over two lines", 'a: "b\n  c"\n'],
  ["a flow map over two lines", "a: {b: 1,\n  c: 2}\n"],
  ["two maps on one line", "a: b: c\n"],
  ["wrong indentation", "a:\n    b: 1\n  c: 2\n"],
  ["an indented root", "  a: 1\n"],
  ["a list item among keys", "a: 1\n- b\n"],
  ["a root that is a list", "- a\n"],
  ["a root that is a scalar", "a\n"],
  ["an open quote", "a: 'b\n"],
  ["text after a quote", "a: 'b' c\n"],
  ["an unknown escape", 'a: "\\q"\n'],
  ["an open flow map", "a: {b: 1\n"],
  ["an empty item of a flow list", "a: [b,, c]\n"],
  ["a flow key without a value", "a: {b}\n"],
  ["text after a flow map", "a: {b: 1} c\n"],
  ["an explicit key without a value", "? a\nb: 1\n"],
  ["a reserved character", "a: @b\n"],
];

const asMap = (text: string): unknown => parse(text, { schema: "failsafe", mapAsMap: true });

test("values are those of a general YAML parser", () => {
  for (const [name, text] of GOOD) assert.deepEqual(readLockYaml(text), asMap(text), name);
});

test("everything that lockfiles don't use is malformed", () => {
  for (const [name, text] of BAD) assert.equal(readLockYaml(text), null, name);
});

test("of several documents the last one counts", () => {
  assert.deepEqual(
    readLockYaml("---\na: 1\n---\nb:\n  c: 2\n...\n"),
    new Map([["b", new Map([["c", "2"]])]]),
  );
  assert.deepEqual(readLockYaml("a:\n---\nb: 2\n"), new Map([["b", "2"]]));
});

test("an empty file is an empty map", () => {
  for (const text of ["", "\n", "# only a comment\n", "\uFEFF"])
    assert.deepEqual(readLockYaml(text), new Map());
});

test("the reader reports the line of each key", () => {
  const seen: [string, number][] = [];
  const root = readLockYaml("# c\na: 1\nb:\n\n  c: |\n    text\n  d: 2\n", (map, key, line) => {
    assert.ok(map instanceof Map);
    seen.push([key, line]);
  });
  assert.notEqual(root, null);
  assert.deepEqual(seen, [
    ["a", 2],
    ["b", 3],
    ["c", 5],
    ["d", 7],
  ]);
});

test("nesting is bounded", () => {
  assert.equal(readLockYaml(`a: ${"[".repeat(100_000)}`), null);
  assert.equal(readLockYaml(`a: ${"[".repeat(65)}b${"]".repeat(65)}\n`), null);
  const deep = Array.from({ length: 200 }, (_, depth) => `${" ".repeat(depth)}k:\n`).join("");
  assert.equal(readLockYaml(deep), null);
  assert.equal(readLockYaml(`${"- ".repeat(100_000)}a\n`), null);
});

test("the reader returns what a YAML writer wrote", () => {
  const scalar = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom("1.0", "true", "~", "__proto__", "a: b", "- x", "#"),
  );
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.array(tie("node"), { minLength: 1, maxLength: 3 }),
      tie("map"),
    ),
    map: fc
      .uniqueArray(fc.tuple(scalar, tie("node")), { selector: ([key]) => key, minLength: 1, maxLength: 4 })
      .map((pairs) => new Map(pairs)),
  }));
  fc.assert(
    fc.property(value.map, (map) => {
      const text = stringify(map, { schema: "failsafe", lineWidth: 0 });
      const read = readLockYaml(text);
      // The writer uses explicit keys and escapes that no lockfile has. Malformed is an honest answer, a different value is not.
      if (read !== null) assert.deepEqual(read, asMap(text));
    }),
    { numRuns: someRuns(300) },
  );
});

test("no text makes the reader throw, and what it accepts has the right value", () => {
  const piece = fc.constantFrom(
    "a",
    "b:",
    ": ",
    "\n",
    "\n  ",
    "\n    ",
    "- ",
    "'",
    '"',
    "{",
    "}",
    "[",
    "]",
    ", ",
    "#",
    " #",
    "|",
    ">-",
    "? ",
    "\\",
    "&",
    "---\n",
    "\t",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join("");
      const read: LockYamlMap | null = readLockYaml(text);
      const document = parseDocument(text, { schema: "failsafe" });
      if (read === null || text.includes("---") || document.errors.length > 0) return;
      assert.deepEqual(read, asMap(text) ?? new Map());
    }),
    { numRuns: someRuns(2_000) },
  );
});
