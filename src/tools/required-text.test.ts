import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { compileSafePattern } from "../config/repo-config/safe-pattern.ts";
import { requiredText } from "./required-text.ts";

test("the longest run of characters that must be there", () => {
  for (const [pattern, expected] of [
    ["readFile", "readFile"],
    ["read[A-Z]\\w+\\(", "read"],
    ["^const total\\s*=", "const total"],
    ["colou?r", "colo"],
    ["a\\.b", "a.b"],
    ["abc{2}", "ab"],
    ["x+yz", "yz"],
    ["[^]abc]d", "d"],
    ["\\bword\\b", "word"],
    ["\\p{Lu}x", "x"],
    ["a|b", ""],
    ["(?i)abc", ""],
    ["(abc)?", ""],
    ["function (read|write)File", "function "],
    ["a(?:bc(d|e)*)+fg", "fg"],
    ["(?P<name>abc)x", "x"],
    ["ab(?i)cd", ""],
    ["(a)|b", ""],
    ["\\Qa*b\\E", ""],
    ["caf\u00e9", "caf"],
    [".*", ""],
  ] as const)
    assert.equal(requiredText(pattern), expected, pattern);
});

test("whatever matches holds it", () => {
  const piece = fc.constantFrom(
    "a",
    "b",
    "1",
    "_",
    "\\.",
    ".",
    "x?",
    "y*",
    "z+",
    "[ab]",
    "[^c]",
    "\\d",
    "c{2}",
    "d{0,1}",
    "^",
    "$",
    "\\b",
    "-",
    "(a|b)",
    "(?:a|1)?",
    "(b(c)*)+",
  );
  const text = fc.string({
    unit: fc.constantFrom("a", "b", "c", "d", "x", "y", "z", "1", "_", ".", "-"),
    maxLength: 12,
  });
  let matched = 0;
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), text, (pieces, line) => {
      const pattern = pieces.join("");
      if (compileSafePattern(pattern)?.(line) !== true) return;
      matched++;
      assert.ok(line.includes(requiredText(pattern)), `${pattern} in ${line}`);
    }),
    { numRuns: 3_000 },
  );
  assert.ok(matched > 100);
});
